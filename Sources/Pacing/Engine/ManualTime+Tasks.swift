/// Tasks whose pieces run on the thread that advances virtual time, in line with what else is decided.
extension ManualTime: TaskExecutor {
  /// Keeps a piece of a task for the advancing thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    enqueue { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private var runsPresentTask: Bool {
    withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
  }

  /// Where a task runs that works for the present one: beside it where that is on virtual time, where
  /// tasks always run otherwise.
  var executorForPresentTask: (any TaskExecutor)? { runsPresentTask ? self : nil }
}
