import Dispatch
import Synchronization

extension Task where Failure == any Error {
  /// Makes a task that takes its steps on this thread, now, until it first has to wait.
  ///
  /// `Task.immediate` does that where the system has it: on macOS, from 26 on. Before, an executor
  /// of the task's own does.
  @discardableResult
  public static func eager(
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return Task(executorPreference: FirstStepHere(), operation: operation)
    }
    return Task.immediate { try await operation() }
  }
}

extension Task where Failure == Never {
  /// As the other one, of an operation that throws nothing.
  @discardableResult
  public static func eager(_ operation: @escaping @Sendable () async -> Success) -> Task {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return Task(executorPreference: FirstStepHere(), operation: operation)
    }
    return Task.immediate { await operation() }
  }
}

/// Runs the first step that it is given on the thread that gives it.
private final class FirstStepHere: TaskExecutor {
  private let hasBegun = Atomic(false)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if hasBegun.exchange(true, ordering: .relaxed) {
      DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    } else {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
