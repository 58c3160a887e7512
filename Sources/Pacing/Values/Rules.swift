/// A user's rules for each value sent: how long it waits, and how it is merged.
///
/// Both are user closures, called on the sender's thread, outside every lock. A class, because few
/// tools have rules: the others pay for one word.
final class Rules<Input: Sendable>: Sendable {
  private let wait: (@Sendable (Input) -> Duration?)?
  let reduce: (@Sendable (AnyValue, AnyValue) -> AnyValue)?

  /// Creates rules; nil if there is no closure to call.
  init?<Value>(wait: (@Sendable (Input) -> Duration?)?, keep: Keep<Value>) {
    guard wait != nil || keep.reduce != nil else { return nil }
    self.wait = wait
    reduce =
      if let reduce = keep.reduce {
        { @Sendable pending, new in AnyValue(reduce(pending.get(), new.get())) }
      } else {
        nil
      }
  }

  /// How long a value waits; nil for the tool's own wait.
  func wait(of input: Input) -> Nanoseconds? { wait?(input).map(Nanoseconds.init(wait:)) }
}

extension Pacer {
  /// Takes a value reduced with the pending one, outside the lock, and again each time the pending
  /// value has changed meanwhile.
  ///
  /// `pending` finds that one; `send` takes the value, or the result of the reduction for it.
  final func send(
    _ value: inout AnyValue, reducing reduce: (AnyValue, AnyValue) -> AnyValue,
    pending: (State) -> PendingValue?,
    send: (inout State, inout AnyValue, PacingInstant) -> SendResult
  ) -> SendResult {
    // Retained until the end, so that nothing of the user's is released under the lock.
    var last: (pending: PendingValue, result: AnyValue)?
    while true {
      var next: PendingValue?
      let result: SendResult? = update { state, now in
        next = pending(state)
        guard let next else { return send(&state, &value, now) }
        guard var reduced = last, reduced.pending.version == next.version else { return nil }
        return send(&state, &reduced.result, now)
      }
      if let result { return result }
      if let next { last = (next, reduce(next.value, value)) }
    }
  }
}
