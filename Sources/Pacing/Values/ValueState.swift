/// The state of a tool that holds one value, with any timing.
protocol ValueKeeping: AdjustableState {
  var pending: Output? { get }
  /// Counts of what happened to the values, excluding a pending one.
  var statistics: DeliveryStatistics { get }

  /// Decides the pending value now; false if there is none.
  mutating func flush(at now: PacingInstant) -> Bool

  /// Takes no more values; returns the pending one if it is dropped.
  mutating func finish(_ finish: Finish, at now: PacingInstant) -> Output?
}

/// The state of a tool that holds one value: the pending one, and counts of the others.
struct ValueState<Timing: ValueTiming, Value: Sendable>: ValueKeeping {
  private var held: PendingValue<Timing, Value>
  private let keepsFirst: Bool
  var isEnabled = true
  var isSuspended = false
  var nextWaiter = 0
  private(set) var statistics = DeliveryStatistics()

  init(_ timing: Timing, keepingFirst keepsFirst: Bool = false) {
    held = PendingValue(timing)
    self.keepsFirst = keepsFirst
  }

  var timing: Timing {
    get { held.timing }
    set { held.timing = newValue }
  }

  var pending: Value? { held.value }

  @inline(__always)
  var deadline: PacingInstant {
    isHeld(isFlushed: held.isFlushed) ? .distantFuture : held.timing.deadline
  }

  @inline(__always)
  var isFinished: Bool { held.timing.isFinishing && !held.timing.isPending }
  @inline(__always)
  var outlivesItsTool: Bool { held.timing.isFinishing }

  // MARK: Verbs

  /// What a value must be reduced with before it is sent; `reduced` is the last result.
  func reduction(besides reduced: Reduced<Value>?) -> Reduction<Value>? {
    isEnabled ? held.reduction(besides: reduced) : nil
  }

  /// Takes a value; afterwards `value` is the one that will not be delivered because of it.
  ///
  /// `reduced` is the result for the pending value if values are reduced; `wait` is nil for the
  /// timing's own wait.
  @inline(__always)
  mutating func send(
    _ value: inout Value, reduced: Reduced<Value>? = nil, waiting wait: Nanoseconds?,
    at now: PacingInstant
  ) -> SendResult {
    statistics.received += 1
    let result =
      isEnabled
      ? held.send(
        &value, reduced: reduced, waiting: wait ?? held.timing.wait, keepingFirst: keepsFirst,
        at: now)
      : .dropped(.disabled)
    statistics.note(result)
    return result
  }

  mutating func flush(at now: PacingInstant) -> Bool {
    held.flush(before: nextWaiter, at: now)
  }

  mutating func cancel() -> Value? { held.withdraw { $0.cancel() } }

  /// Drops the pending value with one of the timing's own verbs.
  mutating func withdraw(_ drop: (inout Timing) -> Void) -> Value? { held.withdraw(drop) }

  mutating func finish(_ finish: Finish, at now: PacingInstant) -> Value? {
    let dropped = held.finish(finish, at: now)
    if dropped != nil { statistics.drop(1, .finished) }
    return dropped
  }

  // MARK: Deliveries

  var flushOfDue: Int { held.flushNumber }
  var earliestFlush: Int { held.pendingFlush }

  mutating func due(at now: PacingInstant) -> Value? { held.due(at: now) }

  mutating func begin(_ output: Value) {
    statistics.delivered += 1
  }

  mutating func dropped(_ output: Value, _ reason: DropReason) {
    statistics.drop(1, reason)
  }
}
