/// The state of a tool that takes values, whatever its timing.
protocol ValueKeeping: AdjustableState {
  var pending: Output? { get }
  /// What has become of the values; those that are pending are not counted.
  var statistics: DeliveryStatistics { get }

  /// Decides the pending value now; false where there is none.
  mutating func flush(at now: PacingInstant) -> Bool

  /// Takes no more values; returns the pending one where that drops it.
  mutating func finish(_ finish: Finish, at now: PacingInstant) -> Output?
}

/// A tool that takes values, as a pure value: what it holds, and what has become of the rest.
struct ValueState<Timing: ValueTiming, Value: Sendable>: ValueKeeping {
  private(set) var holding: PendingValue<Timing, Value>
  private let keepsFirst: Bool
  var isEnabled = true
  private(set) var statistics = DeliveryStatistics()

  init(_ timing: Timing, keepingFirst keepsFirst: Bool = false) {
    holding = PendingValue(timing)
    self.keepsFirst = keepsFirst
  }

  var timing: Timing {
    get { holding.timing }
    set { holding.timing = newValue }
  }

  var pending: Value? { holding.pending }

  @inline(__always)
  var deadline: PacingInstant { holding.timing.deadline }
  @inline(__always)
  var isFinished: Bool { holding.timing.isFinishing && !holding.timing.isPending }
  var outlivesItsTool: Bool { holding.timing.isFinishing }

  // MARK: Verbs

  /// Takes a value, and leaves in its place the one that will not be delivered because of it.
  ///
  /// - Returns: Why that one is dropped, nil where it is merged, or where there is none.
  @inline(__always)
  mutating func send(
    _ value: inout Value, waiting wait: Nanoseconds?, at now: PacingInstant
  ) -> DropReason? {
    statistics.received += 1
    guard isEnabled else {
      statistics.drop(1, .disabled)
      return .disabled
    }
    let fate = holding.send(
      &value, waiting: wait ?? holding.timing.wait, keepingFirst: keepsFirst, at: now)
    return statistics.note(fate)
  }

  /// What a value is to be reduced with before it is sent; `reduced` is what came of it last time.
  func reduction(besides reduced: Reduced<Value>?) -> Reduction<Value>? {
    isEnabled ? holding.reduction(besides: reduced) : nil
  }

  /// Takes a value as `send` does, reduced with the pending one where one is pending.
  mutating func send(
    _ value: inout Value, reduced: Reduced<Value>?, waiting wait: Nanoseconds?,
    at now: PacingInstant
  ) -> DropReason? {
    guard isEnabled, let reduced else { return send(&value, waiting: wait, at: now) }
    statistics.received += 1
    return statistics.note(
      holding.send(
        &value, reduced: reduced, waiting: wait ?? holding.timing.wait, at: now))
  }

  mutating func flush(at now: PacingInstant) -> Bool { holding.flush(at: now) }

  mutating func cancel() -> Value? { holding.withdraw { $0.cancel() } }

  /// Drops the pending value by one of the timing's own verbs.
  mutating func withdraw(_ drop: (inout Timing) -> Void) -> Value? { holding.withdraw(drop) }

  mutating func finish(_ finish: Finish, at now: PacingInstant) -> Value? {
    let dropped = holding.finish(finish, at: now)
    if dropped != nil { statistics.drop(1, .finished) }
    return dropped
  }

  // MARK: Deliveries

  mutating func due(at now: PacingInstant) -> Value? { holding.due(at: now) }

  mutating func begin(_ output: Value) {
    statistics.delivered += 1
  }

  mutating func dropped(_ output: Value, _ reason: DropReason) {
    statistics.drop(1, reason)
  }
}
