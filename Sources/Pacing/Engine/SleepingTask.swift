/// Any clock as the time of a service, which sleeping tasks wake.
///
/// A nearer deadline gets a task of its own, and the task for the farther one sleeps on: some
/// clocks keep the memory of a cancelled sleep until its deadline, and a timer that ticks before a
/// far one would cancel a sleep at each tick.
final class SleepingTask<Base: Clock>: Timekeeper, Waker where Base.Duration == Duration {
  private struct Sleep {
    let number: Int
    let end: PacingInstant
    let task: Task<Void, Never>
  }

  private struct State {
    var wake: WorkItem?
    /// The latest end first, at most `maximumSleeps`.
    var sleeps = [Sleep]()
    var nextNumber = 0
  }

  private let base: Base
  private let origin: Base.Instant
  private let state = Locked(State())

  /// The longest sleep: some clocks take the longest durations for none at all.
  private static var longestSleep: Nanoseconds { 86_400_000_000_000 }
  /// How many tasks sleep at a time before the nearest of them is cancelled for a nearer one.
  private static var maximumSleeps: Int { 8 }

  init(_ base: Base, since origin: Base.Instant) {
    self.base = base
    self.origin = origin
  }

  var now: PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(roundingDown: origin.duration(to: base.now)))
  }

  func activate(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = WorkItem(wake) }
  }

  func set(_ deadline: PacingInstant) {
    let now = now
    let end = now + min(deadline - now, Self.longestSleep)
    // A shorter rest than the clock can show would be no sleep.
    let rest = max(Duration.nanoseconds(end - now), base.minimumResolution)
    let instant = base.now.advanced(by: rest)
    let cancelled = state.withLock { state -> Task<Void, Never>? in
      // A wake that comes earlier does: the service sets the deadline again.
      if let nearest = state.sleeps.last, nearest.end <= end { return nil }
      let isFull = state.sleeps.count == Self.maximumSleeps
      let replaced = isFull ? state.sleeps.removeLast().task : nil
      let number = state.nextNumber
      state.nextNumber += 1
      // Under the lock: a sleep that ends at once finds its entry.
      let task = Task.detached { [base, weak self] in
        do { try await base.sleep(until: instant, tolerance: nil) } catch {
          // Cancelled is how a sleep ends early; a clock whose sleep fails is asked again.
          guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
        }
        self?.wake(number)
      }
      state.sleeps.append(Sleep(number: number, end: end, task: task))
      return replaced
    }
    cancelled?.cancel()
  }

  func stop() {
    let sleeps = state.withLock { state in
      defer { state.sleeps = [] }
      return state.sleeps
    }
    for sleep in sleeps { sleep.task.cancel() }
  }

  private func wake(_ number: Int) {
    let wake = state.withLock { state in
      state.sleeps.removeAll { $0.number == number }
      return state.wake
    }
    wake?()
  }
}
