/// The pending value of a tool, and the timing that decides when it leaves.
struct Holding<Timing: ValueTiming, Value: Sendable>: PacedState {
  private(set) var timing: Timing
  /// Not nil exactly while the timing says that a value is pending.
  private var parcel: Parcel<Value>?

  init(_ timing: Timing) {
    self.timing = timing
  }

  /// The value that the timing speaks of.
  var pending: Value? { parcel?.value }

  @inline(__always)
  var deadline: PacingInstant { timing.deadline }
  @inline(__always)
  var isFinished: Bool { timing.isFinishing && !timing.isPending }
  var outlivesItsTool: Bool { timing.isFinishing }

  /// Takes a value and leaves in its place the one that will not be delivered because of it.
  @inline(__always)
  mutating func send(_ value: inout Value, at now: PacingInstant) {
    guard timing.send(at: now) == .keep else { return }
    if let parcel {
      swap(&parcel.value, &value)
    } else {
      parcel = Parcel(value)
    }
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

  mutating func cancel() -> Value? {
    withdraw { $0.cancel() }
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
