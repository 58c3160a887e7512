extension Pacer {
  /// Takes a value; afterwards `value` is the one that will not be delivered because of it.
  ///
  /// The caller releases that one outside the lock.
  @inline(__always)
  @discardableResult
  func send<Timing, Value>(_ value: inout Value, waiting wait: Nanoseconds? = nil) -> SendResult
  where State == ValueState<Timing, Value> {
    let result = update { $0.send(&value, waiting: wait, at: $1) }
    if let reason = result.dropReason { report(value, reason) }
    return result
  }

  /// As `send(_:waiting:)`, with the user's rules.
  @inline(__always)
  func send<Timing, Value>(
    _ value: inout Value, by rules: Rules<Value>?, waiting wait: Nanoseconds? = nil
  )
  where State == ValueState<Timing, Value> {
    if let rules { ask(rules, of: &value, waiting: wait) } else { send(&value, waiting: wait) }
  }

  /// Takes a value by rules that are called outside the lock.
  private func ask<Timing, Value>(
    _ rules: Rules<Value>, of value: inout Value, waiting wait: Nanoseconds?
  )
  where State == ValueState<Timing, Value> {
    let wait = wait ?? rules.wait?(value).map(Nanoseconds.init(wait:))
    guard let reduce = rules.reduce else {
      send(&value, waiting: wait)
      return
    }
    let result = send(&value, reducing: reduce) { state, reduced in
      state.reduction(besides: reduced)
    } send: { state, value, reduced, now in
      state.send(&value, reduced: reduced, waiting: wait, at: now)
    }
    if let reason = result.dropReason { report(value, reason) }
  }
}

extension Pacer {
  /// Takes a value reduced with the pending one, outside the lock, and again each time the pending
  /// value has changed meanwhile.
  ///
  /// Afterwards `value` is the displaced one. `reduction` returns what must be reduced before
  /// `send` takes the value.
  func send<Value: Sendable>(
    _ value: inout Value, reducing reduce: (Value, Value) -> Value,
    _ reduction: (State, Reduced<Value>?) -> Reduction<Value>?,
    send: (inout State, inout Value, Reduced<Value>?, PacingInstant) -> SendResult
  ) -> SendResult {
    var reduced: Reduced<Value>?
    while true {
      let result: Result<SendResult, Reduction<Value>> = update { state, now in
        if let reduction = reduction(state, reduced) { return .failure(reduction) }
        return .success(send(&state, &value, reduced, now))
      }
      switch result {
      case .success(let result): return result
      case .failure(let reduction):
        reduced = Reduced(reduction: reduction, result: reduce(reduction.pending, value))
      }
    }
  }
}
