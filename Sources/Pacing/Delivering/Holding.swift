/// The pending value of a tool, and the timing that decides when it leaves.
struct Holding<Timing: ValueTiming, Value: Sendable>: Sendable {
  /// What becomes of a value that was sent, or of the one that it displaced.
  enum Fate {
    /// It is pending, and no other was.
    case kept
    /// One of the two stands for both.
    case merged
    case dropped(DropReason)
  }

  var timing: Timing
  /// Not nil exactly while the timing says that a value is pending.
  private var parcel: Parcel<Value>?

  init(_ timing: Timing) {
    self.timing = timing
  }

  /// The value that the timing speaks of.
  var pending: Value? { parcel?.value }

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
