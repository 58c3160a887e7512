/// A user's rules for each value sent: how long it waits, and how it is merged.
///
/// Both are user closures, called on the sender's thread, outside every lock.
struct Rules<Value: Sendable>: Sendable {
  typealias Wait = @Sendable (Value) -> Duration?

  let wait: Wait?
  let reduce: (@Sendable (Value, Value) -> Value)?

  init(wait: Wait?, keep: Keep<Value> = .latest) {
    self.wait = wait
    reduce = keep.reduce
  }

  /// Whether there is no closure to call.
  var isEmpty: Bool { wait == nil && reduce == nil }
}
