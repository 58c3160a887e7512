/// The pacer of a timer that follows the wall clock: the few of those have a watch.
final class WallClockPacer: Pacer<TickState>, @unchecked Sendable {
  private(set) var watch: WallClockWatch?

  override init(
    _ state: TickState, handler: Handler<Tick>?, tolerance: Duration, service: TimerService
  ) {
    super.init(state, handler: handler, tolerance: tolerance, service: service)
    watch = WallClockWatch(in: service) { [weak self] in self?.followWallClock() ?? false }
  }

  /// Moves the grid with the wall clock; false if the timer does not run.
  private func followWallClock() -> Bool {
    update { state, now in
      guard state.phase == .running else { return false }
      state.follow(service.wallOffset(known: state.wallOffset), at: now)
      return true
    }
  }
}
