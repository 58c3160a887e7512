/// The state of a tool that takes values, holds some of them, and can be suspended.
protocol ToolState: PacedState {
  /// Whether values are taken and merged, but not decided at a deadline.
  var isSuspended: Bool { get set }

  /// Whether a value will still be decided.
  var isPending: Bool { get }

  /// When the next value is due, even if the tool is suspended; `distantFuture` if none is.
  var nextDue: PacingInstant { get }

  /// Counts of what happened to the values; those in `undelivered` are decided and have not begun.
  func statistics(undelivered: [Output]) -> DeliveryStatistics

  /// Decides what is pending now; false if nothing is.
  mutating func flush(at now: PacingInstant) -> Bool

  /// Takes no more values; returns what is dropped.
  mutating func finish(_ finish: Finish?, at now: PacingInstant) -> [Output]
}

/// The state of a tool whose settings can be changed.
protocol SettableState: ToolState { var settings: ValueSettings { get set } }

/// The state of a debouncer, throttler, auditor or sampler: the pending value, and counts of the
/// others.
struct ValueState: SettableState {
  typealias Output = AnyValue

  // In this order the fields leave no gaps.
  var settings: ValueSettings
  private var held = HeldValue()
  private let keepsFirst: Bool
  private var isFinishing = false
  var isSuspended = false
  var nextWaiter = 0
  private var counts = DeliveryStatistics()

  init(_ settings: ValueSettings, keepsFirst: Bool = false) {
    self.settings = settings
    self.keepsFirst = keepsFirst
  }

  var isPending: Bool { held.timing.isPending }
  var pending: PendingValue? {
    held.value.map { PendingValue(value: $0, version: counts.received) }
  }
  var nextDue: PacingInstant { held.timing.deadline }

  @inline(__always)
  var deadline: PacingInstant {
    isSuspended && !held.isFlushed && !isFinishing ? .distantFuture : held.timing.deadline
  }

  @inline(__always)
  var isFinished: Bool { isFinishing && !held.timing.isPending }
  @inline(__always)
  var outlivesItsTool: Bool { isFinishing }

  func statistics(undelivered: [AnyValue]) -> DeliveryStatistics {
    counts.with(pending: undelivered.count + (isPending ? 1 : 0))
  }

  @inline(__always)
  mutating func send(
    _ value: inout AnyValue, waiting wait: Nanoseconds?, at now: PacingInstant
  ) -> SendResult {
    let result: SendResult =
      isFinishing
      ? .dropped(.finished)
      : held.send(
        &value, waiting: wait, settings, keepsFirst: keepsFirst, isSuspended: isSuspended, at: now)
    counts.note(result)
    return result
  }

  mutating func flush(at now: PacingInstant) -> Bool {
    held.flush(before: nextWaiter, settings, at: now)
  }

  mutating func cancel() -> AnyValue? { held.withdraw { $0.cancel(settings) } }

  mutating func leave() -> AnyValue? {
    held.isFlushed ? cancel() : held.withdraw { $0.leave(settings) }
  }

  mutating func reset() -> AnyValue? { held.withdraw { $0.reset() } }

  mutating func finish(_ finish: Finish?, at now: PacingInstant) -> [AnyValue] {
    isFinishing = true
    let dropped = held.finish(finish ?? settings.usualFinish, settings, at: now)
    guard let dropped else { return [] }
    counts.drop(1, .finished)
    return [dropped]
  }

  var flushOfDue: Int { held.flushNumber }
  var earliestFlush: Int { held.pendingFlush }

  @inline(__always)
  mutating func due(at now: PacingInstant) -> AnyValue? { held.due(settings, at: now) }

  mutating func begin(_ output: AnyValue) {
    counts.delivered += 1
  }

  mutating func dropped(_ output: AnyValue, _ reason: DropReason) {
    counts.drop(1, reason)
  }
}
