/// Any clock as the time of a service, which one sleeping task wakes.
final class SleepingTask<Base: Clock>: Timekeeper, Waker where Base.Duration == Duration {
  private struct State {
    var wake: (@Sendable () -> Void)?
    var task: Task<Void, Never>?
  }

  private let base: Base
  private let origin: Base.Instant
  private let state = Locked(State())

  /// The longest sleep that is asked of the clock: some take the longest durations for none at all.
  private static var longestSleep: Nanoseconds { 86_400_000_000_000 }

  init(_ base: Base) {
    self.base = base
    origin = base.now
  }

  var now: PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(roundingDown: origin.duration(to: base.now)))
  }

  func activate(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  func set(_ deadline: PacingInstant) {
    let wait = min(deadline - now, Self.longestSleep)
    let instant = base.now.advanced(by: Duration(nanoseconds: wait))
    replace(
      with: Task.detached { [base, weak self] in
        // A clock whose sleep fails wakes nobody; cancelled is how this one ends.
        guard (try? await base.sleep(until: instant, tolerance: nil)) != nil else { return }
        self?.wake()
      })
  }

  func stop() {
    replace(with: nil)
  }

  private func wake() {
    state.withLock { $0.wake }?()
  }

  private func replace(with task: Task<Void, Never>?) {
    let replaced = state.withLock { state in
      defer { state.task = task }
      return state.task
    }
    replaced?.cancel()
  }
}
