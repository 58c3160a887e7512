import Pacing

/// Runs the tasks of a stage on the thread that moves its clock, when it is told to.
///
/// A task that a timer or a call has resumed stands in the queue by the time that call returns. So
/// an empty queue means that every task waits for time or for the tool: nothing is polled.
final class StepExecutor: TaskExecutor {
  private let jobs = Locked([UnownedJob]())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs what is in the queue, and what that brings about; false where it was empty.
  func runAll() -> Bool {
    var hasRun = false
    while true {
      let batch = jobs.withLock { jobs in
        defer { jobs = [] }
        return jobs
      }
      guard !batch.isEmpty else { return hasRun }
      hasRun = true
      for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
