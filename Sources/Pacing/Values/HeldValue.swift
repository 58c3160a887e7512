/// The pending value of a tool or of a key, and the timing of its delivery.
struct HeldValue: Sendable {
  /// `nothing` unless `timing.isPending` is true; not an optional, which takes longer to exchange.
  private var held = AnyValue.nothing
  /// The number recorded when the value was flushed, even if it has left; `Int.max` if it was not.
  private(set) var flushNumber = Int.max
  private(set) var timing = ValueTiming()

  var value: AnyValue? { timing.isPending ? held : nil }

  /// The number recorded when the pending value was flushed; `Int.max` if it was not.
  var pendingFlush: Int { timing.isPending ? flushNumber : .max }

  /// Whether the pending value was flushed, so that even a suspended tool decides it.
  @inline(__always)
  var isFlushed: Bool { flushNumber != .max }

  /// Takes a value; afterwards `value` is the one that will not be delivered because of it.
  ///
  /// `wait` is nil for the tool's own wait. If `keepsFirst` is true, a pending value stays.
  @inline(__always)
  mutating func send(
    _ value: inout AnyValue, waiting wait: Nanoseconds?, _ settings: ValueSettings,
    keepsFirst: Bool, isSuspended: Bool, at now: PacingInstant
  ) -> SendResult {
    let result = timing.send(
      waiting: wait ?? settings.wait, settings, isSuspended: isSuspended && !isFlushed, at: now)
    switch result {
    case .dropped: break
    case .kept:
      held = value
      flushNumber = .max
    case .merged: if !keepsFirst { swap(&held, &value) }
    }
    return result
  }

  @inline(__always)
  mutating func due(_ settings: ValueSettings, at now: PacingInstant) -> AnyValue {
    timing.due(settings, at: now)
    return take()
  }

  /// Makes the pending value due now, false if there is none; `number` is that of the next waiter.
  mutating func flush(before number: Int, _ settings: ValueSettings, at now: PacingInstant) -> Bool
  {
    guard timing.isPending else { return false }
    timing.flush(settings, at: now)
    flushNumber = min(flushNumber, number)
    return true
  }

  /// Drops the pending value with one of the timing's verbs, and returns it.
  mutating func withdraw(_ drop: (inout ValueTiming) -> Void) -> AnyValue? {
    let wasPending = timing.isPending
    drop(&timing)
    return wasPending ? take() : nil
  }

  /// Takes no more values; returns the pending one if it is dropped.
  mutating func finish(
    _ finish: Finish, _ settings: ValueSettings, at now: PacingInstant
  ) -> AnyValue? {
    switch finish {
    case .whenDue: return nil
    case .atOnce:
      if timing.isPending { timing.flush(settings, at: now) }
      return nil
    case .discard: return withdraw { $0.cancel(settings) }
    }
  }

  @inline(__always)
  private mutating func take() -> AnyValue {
    var taken = AnyValue.nothing
    swap(&held, &taken)
    return taken
  }
}

/// A pending value that a new one must be reduced with.
struct PendingValue: Sendable {
  let value: AnyValue
  /// Differs from that of every other value that is pending for the tool or the key.
  let version: Int
}
