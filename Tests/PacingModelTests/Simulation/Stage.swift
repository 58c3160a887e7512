import Pacing
import TestSupport

/// An actor whose work runs only on the simulation's command, on its own thread.
///
/// The task of an async handler arrives here when it begins, and again when it goes on.
actor Stage {
  nonisolated let executor = StageExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

final class StageExecutor: SerialExecutor {
  private let jobs = Locked(FIFO<UnownedJob>())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the arrived jobs and those that they enqueue here; returns whether there were any.
  func run() -> Bool {
    var hadAny = false
    while let job = jobs.withLock({ $0.popFirst() }) {
      job.runSynchronously(on: asUnownedSerialExecutor())
      hadAny = true
    }
    return hadAny
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
