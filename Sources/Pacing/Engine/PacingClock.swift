/// A clock of this library, which brings its timer service: the system's, or one that a test moves.
///
/// A tool takes any clock whose durations are `Duration`; `AdaptedClocks` has the services of those
/// that are not the library's.
package protocol PacingClock: Clock, Identifiable
where Duration == Swift.Duration, Instant == PacingInstant {
  /// The timer service that the clock's tools share.
  var timers: TimerService { get }
}

extension PacingClock {
  /// The current instant.
  public var now: PacingInstant { timers.now }

  /// The resolution of the clock: a nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The clock's identity: that of its timer service.
  public var id: ObjectIdentifier { ObjectIdentifier(timers) }
}

extension Clock where Duration == Swift.Duration {
  package var service: TimerService {
    // The default first: a cast to a protocol costs more.
    if Self.self == DispatchClock.self {
      return unsafe unsafeBitCast(self, to: DispatchClock.self).timers
    }
    if let clock = self as? any PacingClock { return clock.timers }
    return AdaptedClocks.service(for: self)
  }

  /// Converts an instant of this clock, an object or a type without contents, to the library's.
  public func pacingInstant(of instant: Instant) -> PacingInstant {
    if let instant = instant as? PacingInstant { return instant }
    let origin = AdaptedClocks.origin(of: self)
    return PacingInstant(nanoseconds: Nanoseconds(roundingUp: origin.duration(to: instant)))
  }

  /// Converts an instant of the library's, such as that of a tick on this clock, to one of it.
  public func instant(of instant: PacingInstant) -> Instant {
    if let instant = instant as? Instant { return instant }
    return AdaptedClocks.origin(of: self).advanced(by: .nanoseconds(instant.nanoseconds))
  }
}
