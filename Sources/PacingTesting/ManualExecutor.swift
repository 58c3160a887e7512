internal import Pacing

/// Runs tasks on the thread that advances a manual clock, together with the handlers of `.shared`.
final class ManualExecutor: TaskExecutor {
  private let time: ManualTime

  init(time: ManualTime) {
    self.time = time
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    time.enqueue { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
