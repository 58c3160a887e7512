import Pacing
import TestSupport

/// An actor whose work runs only on the simulation's command, on its own thread.
///
/// An async handler starts in a separate task on another thread; the simulation waits for its
/// arrival here.
actor Stage {
  nonisolated let executor = StageExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

final class StageExecutor: SerialExecutor {
  private struct State {
    var jobs = FIFO<UnownedJob>()
    var arrivals = 0
    var awaited = 0
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let state = Locked(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let waiting = state.withLock { state in
      state.jobs.append(job)
      state.arrivals += 1
      return state.arrivals >= state.awaited ? state.waiting.take() : nil
    }
    waiting?.resume(returning: true)
  }

  /// Waits for `count` arrivals in total.
  ///
  /// False if they do not arrive within a time far beyond what any machine takes, so that the run's
  /// seed is reported.
  func arrivals(atLeast count: Int) async -> Bool {
    if state.withLock({ $0.arrivals >= count }) { return true }
    let watchdog = Task.detached { [self] in
      try await Task.sleep(for: .seconds(600))
      state.withLock { $0.waiting.take() }?.resume(returning: false)
    }
    defer { watchdog.cancel() }
    return await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals >= count { return true }
        state.awaited = count
        state.waiting = continuation
        return false
      }
      if isThere { continuation.resume(returning: true) }
    }
  }

  /// Runs the arrived jobs and those that they enqueue here; returns their number.
  func run() -> Int {
    var count = 0
    while let job = state.withLock({ $0.jobs.popFirst() }) {
      job.runSynchronously(on: asUnownedSerialExecutor())
      count += 1
    }
    return count
  }
}

/// A FIFO queue of tasks that wait for the simulation, whether cancelled or not.
final class Turns: Sendable {
  private let waiting = Locked(FIFO<CheckedContinuation<Void, Never>>())

  nonisolated(nonsending) func wait() async {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0.append(continuation) }
    }
  }

  /// Resumes the task that has waited longest.
  @discardableResult
  func goOn() -> Bool {
    let first = waiting.withLock { $0.popFirst() }
    first?.resume()
    return first != nil
  }
}
