/// The state of a tool that takes values, whatever its timing.
protocol ValueKeeping: PacedState {
  associatedtype Timing: ValueTiming

  var timing: Timing { get set }
  var pending: Output? { get }
  /// Whether values are taken.
  var isEnabled: Bool { get set }
  /// What has become of the values; those that are pending are not counted.
  var statistics: DeliveryStatistics { get }

  /// Decides the pending value now; false where there is none.
  mutating func flush(at now: PacingInstant) -> Bool

  /// Takes no more values; returns the pending one where that drops it.
  mutating func finish(_ finish: Finish, at now: PacingInstant) -> Output?
}

/// A tool that takes values, as a pure value: what it holds, and what has become of the rest.
struct ValueState<Timing: ValueTiming, Value: Sendable>: ValueKeeping {
  /// What a value is to be reduced with, and which of the pending values that was.
  struct Reduction: Error {
    let pending: Value
    let change: Int
  }

  private(set) var holding: Holding<Timing, Value>
  private let keepsFirst: Bool
  var isEnabled = true
  private(set) var statistics = DeliveryStatistics()
  /// How often the pending value was another one.
  private var change = 0

  init(_ timing: Timing, keepingFirst keepsFirst: Bool = false) {
    holding = Holding(timing)
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
    switch fate {
    case .kept: change &+= 1
    case .merged: statistics.merged += 1
    case .dropped(let reason):
      statistics.drop(1, reason)
      return reason
    }
    return nil
  }

  /// Takes a value reduced with the pending one, unless that has changed since the reduction began.
  ///
  /// A reduction is a user's closure and happens outside the lock, between two of these calls.
  ///
  /// `reduced` is the reduction that was last asked for, and its result.
  ///
  /// - Returns: The reduction to be done before asking again, or what `send` returns.
  mutating func sendReduced(
    _ value: inout Value, _ reduced: (Reduction, result: Value)?, waiting wait: Nanoseconds?,
    at now: PacingInstant
  ) -> Result<DropReason?, Reduction> {
    guard isEnabled, let pending = holding.pending else {
      return .success(send(&value, waiting: wait, at: now))
    }
    guard let reduced, reduced.0.change == change else {
      return .failure(Reduction(pending: pending, change: change))
    }
    var result = reduced.result
    let reason = send(&result, waiting: wait, at: now)
    // What is dropped is the value that was sent, and not what it would have become.
    if reason == nil {
      change &+= 1
      value = result
    }
    return .success(reason)
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
