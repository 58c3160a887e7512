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
    var reduced: (reduction: ValueState<Timing, Value>.Reduction, result: Value)?
    while true {
      var candidate = value
      switch update({ $0.sendReduced(&candidate, reduced, waiting: wait, at: $1) }) {
      case .success(nil): return
      case .success(let reason?): return report(candidate, reason)
      case .failure(let reduction): reduced = (reduction, reduce(reduction.pending, value))
      }
    }
  }

  /// Changes a setting that counts for the values sent from now on.
  func set<Timing, Value>(_ change: (inout Timing) -> Void)
  where State == ValueState<Timing, Value> {
    update { state, _ in change(&state.timing) }
  }
}

extension Pacer {
  /// How long until an instant; zero where it has passed, nil where it never comes.
  func timeRemaining(until deadline: PacingInstant) -> Duration? {
    guard deadline != .distantFuture else { return nil }
    return Duration(nanoseconds: max(0, deadline - service.now))
  }
}

extension Pacer where State: ValueKeeping {
  func flush() -> Bool { update { $0.flush(at: $1) } }

  func cancel() -> Output? { withdraw().last }

  func finish(_ finish: Finish) {
    if let dropped = update({ $0.finish(finish, at: $1) }) { report(dropped, .finished) }
  }

  var isPending: Bool { isPending { $0.timing.isPending } }

  var pending: Output? { read { state, decided in state.pending ?? decided.last?.value } }

  var timeRemaining: Duration? {
    timeRemaining(until: read { $0.timing.isPending ? $0.timing.deadline : .distantFuture })
  }

  /// How long a value waits, or how long its window is; a new one counts from the next value.
  var wait: Duration {
    get { Duration(nanoseconds: read { $0.timing.wait }) }
    set {
      let wait = Nanoseconds(wait: newValue)
      update { state, _ in state.timing.wait = wait }
    }
  }

  var isEnabled: Bool {
    get { read { $0.isEnabled } }
    set { update { state, _ in state.isEnabled = newValue } }
  }

  var statistics: DeliveryStatistics {
    read { state, decided in
      var statistics = state.statistics
      statistics.pending = decided.count + (state.timing.isPending ? 1 : 0)
      return statistics
    }
  }
}

extension Pacer: ValuePacer where State: ValueKeeping, State.Output == AnyValue {}
