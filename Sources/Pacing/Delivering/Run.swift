/// One run of an async handler: its task, which may be cancelled before it is known.
final class Run: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let state = Locked(State())

  /// Runs `body` in a task of its own; a manual clock waits for its end, or its wait for the clock.
  static func begin(in service: TimerService, _ body: @escaping @Sendable (Run) async -> Void) {
    let run = Run()
    let manual = service.manual
    manual?.began()
    run.attach(
      Task.detached {
        guard let manual else { return await body(run) }
        await manual.runToEnd { await body(run) }
      })
  }

  /// Cancels the task.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  private func attach(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }
}
