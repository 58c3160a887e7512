/// A clock with a timer service behind it: the system's, or one that a test moves by hand.
///
/// Every tool's initialiser has a parameter `clock`, which takes any clock whose durations are
/// `Duration`. Those of this library conform to this protocol and bring their service; another
/// one's is made by `AdaptedClock`.
package protocol PacingClock: TimerServing, Clock, Identifiable
where Duration == Swift.Duration, Instant == PacingInstant {}

/// What a clock of this library is known by.
package protocol TimerServing {
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
  /// The timer service that the clock's tools share.
  package var service: TimerService {
    // The default first: a cast to a protocol costs more.
    if let clock = self as? DispatchClock { return clock.timers }
    if let clock = self as? any TimerServing { return clock.timers }
    return AdaptedClocks.service(for: self)
  }

  /// Converts an instant of this clock to one of the library's, such as `FirstTick.at(_:)` takes.
  public func pacingInstant(of instant: Instant) -> PacingInstant {
    if let instant = instant as? PacingInstant { return instant }
    return AdaptedClocks.keeper(of: self).instant(of: instant)
  }

  /// Converts an instant of the library's, such as a tick's, to one of this clock.
  ///
  /// - Parameter instant: An instant of a tool that follows this clock.
  /// - Returns: The same instant of this clock.
  public func instant(of instant: PacingInstant) -> Instant {
    if let instant = instant as? Instant { return instant }
    return AdaptedClocks.keeper(of: self).instant(of: instant)
  }
}
