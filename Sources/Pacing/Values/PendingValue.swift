/// The pending value of a tool, and the timing of its delivery.
struct PendingValue<Timing: ValueTiming, Value: Sendable>: Sendable {
  /// A value behind a reference: the size of its container does not depend on the value's type,
  /// which keeps the generic runtime out of the hot path.
  final class Box: @unchecked Sendable {
    // Written only under the owning tool's lock, which also makes a dynamic exclusivity check at
    // each write redundant.
    @exclusivity(unchecked)
    fileprivate var value: Value

    fileprivate init(_ value: Value) {
      self.value = value
    }
  }

  var timing: Timing
  /// The number recorded when the value was flushed, `Int.max` if it was not; it remains after the
  /// value has left.
  private(set) var flushNumber = Int.max
  /// Non-nil exactly while `timing.isPending` is true.
  private var box: Box?

  init(_ timing: Timing) {
    self.timing = timing
  }

  var value: Value? { box?.value }

  /// The number recorded when the pending value was flushed; `Int.max` if it was not.
  var pendingFlush: Int { box == nil ? .max : flushNumber }

  /// Whether the pending value was flushed, so that even a suspended tool decides it.
  @inline(__always)
  var isFlushed: Bool { flushNumber != .max }

  /// What a value must be reduced with before it is sent; nil if nothing is pending, or if
  /// `reduced` is the result for the pending value.
  func reduction(besides reduced: Reduced<Value>?) -> Reduction<Value>? {
    guard let box, box !== reduced?.reduction.identity else { return nil }
    return Reduction(pending: box.value, identity: box)
  }

  /// Takes a value; afterwards `value` is the one that will not be delivered because of it.
  ///
  /// `reduced` is the result for the pending value, and replaces both; it is nil if values are not
  /// reduced. If `keepsFirst` is true, a pending value stays.
  @inline(__always)
  mutating func send(
    _ value: inout Value, reduced: Reduced<Value>? = nil, waiting wait: Nanoseconds,
    keepingFirst keepsFirst: Bool, at now: PacingInstant
  ) -> SendResult {
    let result = timing.send(waiting: wait, at: now)
    switch result {
    case .dropped: break
    case .kept:
      box = Box(value)
      flushNumber = .max
    case .merged:
      // A new box, so that a concurrent reduction with the old one detects the change.
      if let reduced {
        box = Box(reduced.result)
      } else if !keepsFirst, let box {
        swap(&box.value, &value)
      }
    }
    return result
  }

  mutating func due(at now: PacingInstant) -> Value? {
    timing.due(at: now)
    return take()
  }

  /// Makes the pending value due now; false if there is none.
  ///
  /// `number` is the number of the next task to wait for deliveries.
  mutating func flush(before number: Int, at now: PacingInstant) -> Bool {
    guard timing.isPending else { return false }
    timing.flush(at: now)
    flushNumber = min(flushNumber, number)
    return true
  }

  /// Drops the pending value with one of the timing's own verbs.
  mutating func withdraw(_ drop: (inout Timing) -> Void) -> Value? {
    drop(&timing)
    return take()
  }

  mutating func finish(_ finish: Finish, at now: PacingInstant) -> Value? {
    timing.finish(finish, at: now)
    return timing.isPending ? nil : take()
  }

  private mutating func take() -> Value? { box.take()?.value }
}
