/// The timer services of clocks that are not the library's.
///
/// A clock that is an object, such as a test clock, has one service while a tool follows it. All
/// values of a type without contents, such as `ContinuousClock`, are one clock, whose service is
/// never released. Any other value gets a service at each use.
///
/// A clock whose `sleep` throws wakes nothing, unless its task was cancelled.
enum AdaptedClocks {
  private struct Entry {
    weak var service: TimerService?
    /// The same service, if it is never released.
    var kept: TimerService?
  }

  private static let entries = Locked([ObjectIdentifier: Entry]())

  static func service<Base: Clock<Duration>>(for clock: Base) -> TimerService {
    let new = TimerService(SleepingTask(clock))
    let isEmpty = MemoryLayout<Base>.size == 0
    guard isEmpty || Base.self is AnyClass else { return new }
    let id = isEmpty ? ObjectIdentifier(Base.self) : ObjectIdentifier(clock as AnyObject)
    return entries.withLock { entries in
      if let service = entries[id]?.service { return service }
      entries = entries.filter { $0.value.service != nil }
      entries[id] = Entry(service: new, kept: isEmpty ? new : nil)
      return new
    }
  }

  static func keeper<Base: Clock<Duration>>(of clock: Base) -> SleepingTask<Base> {
    service(for: clock).keeper as! SleepingTask<Base>
  }
}

extension SleepingTask {
  func instant(of instant: Base.Instant) -> PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(roundingUp: origin.duration(to: instant)))
  }

  func instant(of instant: PacingInstant) -> Base.Instant {
    origin.advanced(by: Duration.nanoseconds(instant.nanoseconds))
  }
}
