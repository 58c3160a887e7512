/// What a user has to say about each value that is sent: how long it waits, and what it is merged
/// to.
///
/// Both are closures of the user's, so they are asked on the sender's thread, outside every lock.
struct Rules<Value: Sendable>: Sendable {
  typealias Wait = @Sendable (Value) -> Duration?

  let wait: Wait?
  let reduce: (@Sendable (Value, Value) -> Value)?

  init(wait: Wait?, keep: Keep<Value> = .latest) {
    self.wait = wait
    reduce = keep.reduce
  }

  /// Whether there is nothing to be asked.
  var isEmpty: Bool { wait == nil && reduce == nil }
}
