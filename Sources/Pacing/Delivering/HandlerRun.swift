/// One run of an async handler: its task.
final class HandlerRun: Sendable {
  private let task = Locked<Task<Void, Never>?>(nil)

  /// Runs `body` in a new task; a manual clock waits until the task ends or waits for the clock.
  @discardableResult
  static func begin(
    in service: TimerService, _ body: @escaping @Sendable (HandlerRun) async -> Void
  ) -> HandlerRun {
    let run = HandlerRun()
    let manual = service.manual
    manual?.began()
    // Under the lock, so that cancelling a run that has just begun finds its task.
    run.task.withLock { task in
      task = Task.detached(executorPreference: manual?.ofHandlers) {
        guard let manual else { return await body(run) }
        await manual.runToEnd { await body(run) }
      }
    }
    return run
  }

  func cancel() {
    task.withLock { $0 }?.cancel()
  }
}
