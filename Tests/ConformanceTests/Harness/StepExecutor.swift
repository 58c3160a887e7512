import Pacing

/// Runs the tasks of a stage on demand, on the thread that moves its clock.
///
/// A task that a timer or a call resumes is in the queue when that call returns. An empty queue
/// therefore means that every task waits for time or for the tool, without polling.
final class StepExecutor: TaskExecutor {
  private let jobs = Locked([UnownedJob]())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the queue until it is empty; false if it already was.
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
