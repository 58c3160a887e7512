/// A value, its key, and whether the value was decided.
struct AnyKeyedValue: Sendable {
  let key: AnyKey
  let value: AnyValue
  var isDecided = false
}
