/// Reads the wall clock every second while a timer follows it: no event reports that it was set.
final class WallClockWatch: TimerTarget {
  private let service: TimerService
  private let entry = LockedTimerEntry()
  /// Follows the clock, and returns whether to look again.
  private let look: @Sendable () -> Bool

  static var interval: Nanoseconds { 1_000_000_000 }

  init(in service: TimerService, _ look: @escaping @Sendable () -> Bool) {
    self.service = service
    self.look = look
  }

  func start() { set(service.now + Self.interval) }

  func stop() { set(.distantFuture) }

  func wake(_ handle: TimerService.Handle) {
    entry.fired(handle)
    if look() { start() }
  }

  private func set(_ deadline: PacingInstant) {
    entry.set(deadline, tolerance: Self.interval / 4, for: self, in: service)
  }
}
