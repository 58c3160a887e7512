extension Pacer {
  /// Takes a value, and leaves in its place the one that will not be delivered because of it.
  ///
  /// Where there is none it is left as it is. The caller lets go of it, outside the lock.
  ///
  /// - Returns: Whether it was taken, and not dropped.
  @inline(__always)
  @discardableResult
  func send<Timing, Value>(_ value: inout Value, waiting wait: Nanoseconds? = nil) -> Bool
  where State == ValueState<Timing, Value> {
    guard let reason = update({ $0.send(&value, waiting: wait, at: $1) }) else { return true }
    report(value, reason)
    return false
  }

  /// Takes a value by rules of the user's, and leaves another as `send` does.
  @inline(__always)
  func send<Timing, Value>(
    _ value: inout Value, by rules: Rules<Value>, waiting wait: Nanoseconds? = nil
  )
  where State == ValueState<Timing, Value> {
    if rules.isEmpty { send(&value, waiting: wait) } else { ask(rules, of: &value, waiting: wait) }
  }

  /// Takes a value by rules, which are asked outside the lock.
  private func ask<Timing, Value>(
    _ rules: Rules<Value>, of value: inout Value, waiting wait: Nanoseconds?
  )
  where State == ValueState<Timing, Value> {
    let wait = wait ?? rules.wait?(value).map(Nanoseconds.init(wait:))
    guard let reduce = rules.reduce else {
      send(&value, waiting: wait)
      return
    }
    let dropped = send(value, reducing: reduce) { state, reduced in
      state.reduction(besides: reduced)
    } send: { state, value, reduced, now in
      state.send(&value, reduced: reduced, waiting: wait, at: now)
    }
    if let dropped { report(dropped.value, dropped.reason) }
  }
}

extension Pacer {
  /// Takes a value, reduced with the pending one, outside the lock: as often as that is another one
  /// by the time it is done.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - reduce: The user's closure.
  ///   - reduction: What is to be reduced before the value is sent.
  ///   - send: Sends it.
  /// - Returns: The value that is dropped because of it, and why.
  func send<Value: Sendable>(
    _ value: Value, reducing reduce: (Value, Value) -> Value,
    _ reduction: (State, Reduced<Value>?) -> Reduction<Value>?,
    send: (inout State, inout Value, Reduced<Value>?, PacingInstant) -> DropReason?
  ) -> (value: Value, reason: DropReason)? {
    var reduced: Reduced<Value>?
    while true {
      var candidate = value
      let result: Result<DropReason?, Reduction<Value>> = update { state, now in
        if let reduction = reduction(state, reduced) { return .failure(reduction) }
        return .success(send(&state, &candidate, reduced, now))
      }
      switch result {
      case .success(let reason): return reason.map { (candidate, $0) }
      case .failure(let reduction):
        reduced = Reduced(reduction: reduction, result: reduce(reduction.pending, value))
      }
    }
  }
}

extension Pacer {
  /// How long until an instant; zero where it has passed, nil where it never comes.
  func timeRemaining(until deadline: PacingInstant) -> Duration? {
    guard deadline != .distantFuture else { return nil }
    return Duration(nanoseconds: max(0, deadline - service.now))
  }
}
