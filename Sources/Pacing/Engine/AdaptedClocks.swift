/// The timer services of clocks that are not the library's.
///
/// A clock that is an object, such as a test clock, has one service while a tool follows it. All
/// values of a type without contents, such as `ContinuousClock`, are one clock, whose service is
/// never released. Any other value gets a service at each use.
enum AdaptedClocks {
  private struct Entry {
    /// The clock, or what is never released if all values of its type are one clock.
    weak var object: AnyObject?
    /// What the clock showed at first, which counts as zero.
    let origin: Any
    weak var service: TimerService?
    /// The same service, if it is never released.
    var kept: TimerService?
  }

  private static let entries = Locked([ObjectIdentifier: Entry]())

  static func service<Base: Clock<Duration>>(for clock: Base) -> TimerService {
    let origin = origin(of: clock)
    guard let id = id(of: clock) else { return TimerService(SleepingTask(clock, since: origin)) }
    return entries.withLock { entries in
      if let service = entries[id]?.service { return service }
      let new = TimerService(SleepingTask(clock, since: origin))
      entries[id]?.service = new
      if !(Base.self is AnyClass) { entries[id]?.kept = new }
      return new
    }
  }

  /// The instant of a clock that counts as zero; of an object, for as long as it lives.
  static func origin<Base: Clock<Duration>>(of clock: Base) -> Base.Instant {
    let now = PacingInstant(nanoseconds: 0) as? Base.Instant ?? clock.now
    guard let id = id(of: clock) else { return now }
    return entries.withLock { entries in
      if let known = entries[id], known.object != nil, let origin = known.origin as? Base.Instant {
        return origin
      }
      entries = entries.filter { $0.value.object != nil }
      let object = Base.self is AnyClass ? clock as AnyObject : Self.entries
      entries[id] = Entry(object: object, origin: now)
      return now
    }
  }

  /// What is the same for all uses of one clock; nil if that cannot be told.
  private static func id<Base: Clock<Duration>>(of clock: Base) -> ObjectIdentifier? {
    if Base.self is AnyClass { return ObjectIdentifier(clock as AnyObject) }
    return MemoryLayout<Base>.size == 0 ? ObjectIdentifier(Base.self) : nil
  }
}
