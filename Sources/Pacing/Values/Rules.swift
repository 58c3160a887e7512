/// A user's rules for each value sent: how long it waits, and how it is merged.
///
/// Both are user closures, called on the sender's thread, outside every lock. A class, because few
/// tools have rules: the others pay for one word.
final class Rules<Value: Sendable>: Sendable {
  typealias Wait = @Sendable (Value) -> Duration?

  let wait: Wait?
  let reduce: (@Sendable (Value, Value) -> Value)?

  /// Makes rules; nil if there is no closure to call.
  init?(wait: Wait?, keep: Keep<Value> = .latest) {
    guard wait != nil || keep.reduce != nil else { return nil }
    self.wait = wait
    reduce = keep.reduce
  }
}

extension Rules<AnyValue> {
  /// The same rules for type-erased values.
  static func erasing<Original>(
    wait: Rules<Original>.Wait?, keep: Keep<Original> = .latest
  ) -> Rules? {
    guard let wait else { return Rules(wait: nil, keep: keep.erased) }
    return Rules(wait: { value in wait(value.get()) }, keep: keep.erased)
  }
}

extension Keep {
  /// The same rule for type-erased values.
  var erased: Keep<AnyValue> {
    guard let reduce else { return Keep<AnyValue>(keepsFirst: keepsFirst, reduce: nil) }
    return .reducing { pending, value in AnyValue(reduce(pending.get(), value.get())) }
  }
}
