/// The pending value of a tool or of a key, and the timing of its delivery.
struct HeldValue: Sendable {
  /// A value behind a reference: copying one inline costs more than all the rest of a `send`.
  final class Box: @unchecked Sendable {
    // Written only under the owning tool's lock, which also makes a dynamic exclusivity check at
    // each write redundant.
    @safe @exclusivity(unchecked) fileprivate var value: AnyValue

    init(_ value: AnyValue) {
      self.value = value
    }
  }

  /// Non-nil exactly while `timing.isPending` is true.
  private var box: Box?
  /// The number recorded when the value was flushed, even if it has left; `Int.max` if it was not.
  private(set) var flushNumber = Int.max
  private(set) var timing = ValueTiming()

  var value: AnyValue? { box?.value }

  /// The number recorded when the pending value was flushed; `Int.max` if it was not.
  var pendingFlush: Int { box == nil ? .max : flushNumber }

  /// Whether the pending value was flushed, so that even a suspended tool decides it.
  @inline(__always)
  var isFlushed: Bool { flushNumber != .max }

  var pending: PendingValue? { box.map { PendingValue(value: $0.value, identity: $0) } }

  /// Takes a value; afterwards `value` is the one that will not be delivered because of it.
  ///
  /// `reduced` is the result of a reduction with the pending value, which replaces both; it is nil
  /// if values are not reduced. `wait` is nil for the tool's own wait. If `keepsFirst` is true, a
  /// pending value stays.
  @inline(__always)
  mutating func send(
    _ value: inout AnyValue, reduced: Box?, waiting wait: Nanoseconds?,
    _ settings: ValueSettings, keepsFirst: Bool, isSuspended: Bool, at now: PacingInstant
  ) -> SendResult {
    let result = timing.send(
      waiting: wait ?? settings.wait, settings, isSuspended: isSuspended && !isFlushed, at: now)
    switch result {
    case .dropped: break
    case .kept:
      box = Box(value)
      flushNumber = .max
    case .merged:
      // A new box, so that a concurrent reduction with the old one detects the change.
      if let reduced {
        box = reduced
      } else if !keepsFirst, let box {
        swap(&box.value, &value)
      }
    }
    return result
  }

  @inline(__always)
  mutating func due(_ settings: ValueSettings, at now: PacingInstant) -> AnyValue? {
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
    drop(&timing)
    return take()
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
  private mutating func take() -> AnyValue? { box.take()?.value }
}

/// A pending value that a new one must be reduced with.
struct PendingValue: Sendable {
  let value: AnyValue
  let identity: HeldValue.Box
}
