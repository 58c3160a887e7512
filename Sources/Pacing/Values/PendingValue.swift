/// The pending value of a tool, and the timing that decides when it leaves.
struct PendingValue<Timing: ValueTiming, Value: Sendable>: Sendable {
  var timing: Timing
  /// Not nil exactly while the timing says that a value is pending.
  private var parcel: Parcel<Value>?

  init(_ timing: Timing) {
    self.timing = timing
  }

  /// The value that the timing speaks of.
  var pending: Value? { parcel?.value }

  /// What a value is to be reduced with before it is sent, nil for nothing: where none is pending,
  /// or `reduced` is the result for the one that is.
  func reduction(besides reduced: Reduced<Value>?) -> Reduction<Value>? {
    guard let parcel, parcel !== reduced?.reduction.parcel else { return nil }
    return Reduction(pending: parcel.value, parcel: parcel)
  }

  /// Takes a value that stands, reduced, for the pending one too, where one is pending.
  mutating func send(
    _ value: inout Value, reduced: Reduced<Value>?, waiting wait: Nanoseconds, at now: PacingInstant
  ) -> Fate {
    guard parcel != nil, let reduced else {
      return send(&value, waiting: wait, keepingFirst: false, at: now)
    }
    // What is dropped is the value that was sent, and not what it would have become.
    if case .drop(let reason) = timing.send(waiting: wait, at: now) { return .dropped(reason) }
    // A new parcel: whoever reduces with what was in the old one finds that it has changed.
    parcel = Parcel(reduced.result)
    return .merged
  }

  /// Takes a value, and leaves in its place the one that will not be delivered because of it.
  @inline(__always)
  mutating func send(
    _ value: inout Value, waiting wait: Nanoseconds, keepingFirst: Bool, at now: PacingInstant
  ) -> Fate {
    if case .drop(let reason) = timing.send(waiting: wait, at: now) { return .dropped(reason) }
    guard let parcel else {
      parcel = Parcel(value)
      return .kept
    }
    if !keepingFirst { swap(&parcel.value, &value) }
    return .merged
  }

  mutating func due(at now: PacingInstant) -> Value? {
    timing.due(at: now)
    return parcel.take()?.value
  }

  mutating func flush(at now: PacingInstant) -> Bool {
    guard timing.isPending else { return false }
    timing.flush(at: now)
    return true
  }

  /// Drops the pending value by one of the timing's own verbs.
  mutating func withdraw(_ drop: (inout Timing) -> Void) -> Value? {
    drop(&timing)
    return parcel.take()?.value
  }

  mutating func finish(_ finish: Finish, at now: PacingInstant) -> Value? {
    timing.finish(finish, at: now)
    return timing.isPending ? nil : parcel.take()?.value
  }
}
