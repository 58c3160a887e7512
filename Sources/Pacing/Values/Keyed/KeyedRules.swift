/// A user's rules for each value sent for a key; see `Rules`.
struct KeyedRules: Sendable {
  private let wait: Rules<AnyKeyedValue>.Wait?
  let keep: Keep<AnyValue>

  init<Key: Hashable & Sendable, Value: Sendable>(
    wait: (@Sendable (Key, Value) -> Duration?)?, keep: Keep<Value>
  ) {
    self.keep = keep.erased
    guard let wait else {
      self.wait = nil
      return
    }
    self.wait = { keyed in wait(keyed.key.get(), keyed.value.get()) }
  }

  /// How long a value waits; nil for the tool's own wait.
  func wait(for value: AnyValue, _ key: AnyKey) -> Nanoseconds? {
    wait?(AnyKeyedValue(key: key, value: value)).map(Nanoseconds.init(wait:))
  }
}
