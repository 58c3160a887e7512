/// A value, its key, and whether it was decided.
struct AnyKeyedValue: Sendable {
  let key: AnyKey
  let value: AnyValue
  var isDecided = false
}
