/// Another reading of the system's time, woken by the system's one service: no second Dispatch
/// source.
///
/// Dispatch has no timer that goes on while the system sleeps. Where the reading does, the service
/// is woken every second while something is pending, and looks.
final class SystemTime: Timekeeper, Waker, TimerTarget {
  enum Reading {
    /// The time of the system's own service.
    case uptime
    /// Time that goes on while the system sleeps.
    case countingSleep
    /// The system's last tick on the time of its own service.
    case coarse
  }

  private struct State {
    var entry = TimerEntry()
    var wake: (@Sendable () -> Void)?
  }

  private let reading: Reading
  private let service: TimerService
  private let state = Locked(State())

  /// How long a sleep of the system may go unnoticed.
  private static var longestWait: Nanoseconds { 1_000_000_000 }

  init(_ reading: Reading, service: TimerService = .system) {
    self.reading = reading
    self.service = service
  }

  var now: PacingInstant {
    switch reading {
    case .uptime: Platform.now
    case .countingSleep: Platform.nowCountingSleep
    case .coarse: Platform.lastTick
    }
  }

  func activate(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  func set(_ deadline: PacingInstant) {
    let instant: PacingInstant
    switch reading {
    case .uptime: instant = deadline
    case .countingSleep: instant = service.now + min(deadline - now, Self.longestWait)
    // The first tick that shows the deadline comes within one step of it.
    case .coarse: instant = max(deadline, service.now) + Platform.tickLength
    }
    setAlarm(instant)
  }

  func stop() {
    setAlarm(.distantFuture)
  }

  func wake(_ handle: TimerService.Handle) {
    let wake = state.withLock { state in
      state.entry.fired(handle)
      return state.wake
    }
    wake?()
  }

  private func setAlarm(_ instant: PacingInstant) {
    let mustArm = state.withLock {
      $0.entry.set(instant, tolerance: 0, for: self, in: service)
    }
    if mustArm { service.arm() }
  }
}
