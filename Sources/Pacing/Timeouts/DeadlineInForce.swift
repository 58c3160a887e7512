/// A deadline in force: cancels an operation when its time is over, and is known to what runs
/// inside.
///
/// A task that would wait reads `current(on:)`, to refuse at once a wait that cannot end in time.
/// The scope that sets a deadline closes it, so a task that outlives the scope is no longer bound.
///
/// ## Concurrency
/// Thread-safe. Cancelling may run user code, such as a cancellation handler that blocks, so it
/// happens on a thread of `.shared` and never on the timer's.
package final class DeadlineInForce: TimerTarget {
  private struct State {
    var isOpen = true
    var hasElapsed = false
    /// The operation's task, once it has suspended, and the timer that cancels it.
    var task: Task<Void, Never>?
    var timer = TimerEntry()
    /// The deadline of the scope around this one; nil after the end, so that chains stay short.
    var outer: DeadlineInForce?
  }

  @TaskLocal private static var innermost: DeadlineInForce?

  package let deadline: PacingInstant
  let error: TimeoutError
  private let service: TimerService
  private let state: Locked<State>

  init(_ deadline: PacingInstant, limit: Duration, on service: TimerService) {
    self.deadline = deadline
    self.service = service
    error = TimeoutError(limit: limit)
    state = Locked(State(outer: Self.innermost))
  }

  /// The earliest deadline in force on the service's clock, before which a wait of the current task
  /// must end; nil if there is none.
  package static func current(on service: TimerService) -> DeadlineInForce? {
    var earliest: DeadlineInForce?
    var next = innermost
    while let scope = next {
      let isOpen: Bool
      (isOpen, next) = scope.state.withLock { ($0.isOpen, $0.outer) }
      guard isOpen, scope.service === service else { continue }
      if earliest.map({ scope.deadline < $0.deadline }) ?? true { earliest = scope }
    }
    return earliest
  }

  /// Whether the time is over, or was at the end; a clock that is set back takes no timeout back.
  var isOver: Bool {
    let hasCome = deadline <= service.now
    return state.withLock { $0.hasElapsed || $0.isOpen && hasCome }
  }
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Runs the operation in a task on the caller's actor, and cancels it at the deadline.
  ///
  /// Returns whether the time is over. Not generic, so that nothing asks the runtime for a type.
  func run(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: nonisolated(nonsending) () async -> Void
  ) async -> Bool {
    // The task has ended when this function returns, so the operation does not escape.
    await withoutActuallyEscaping(operation) { operation in
      let isCancelled = Task.isCancelled
      func body() async {
        // It begins before this function could cancel it.
        if isCancelled { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        await Self.$innermost.withValue(self) { await operation() }
        close()
      }
      let task: Task<Void, Never>
      let manual = service.manual
      // Capturing the isolation makes the task run on the caller's actor.
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
        manual?.beginsTasksAtOnce ?? true
      {
        task = Task.immediate(executorPreference: manual?.ofCurrentTask) {
          _ = isolation
          await body()
        }
      } else {
        // It begins a step later.
        func call(isolation: isolated (any Actor)?) async { await body() }
        // Who makes the task waits for it, so they use nothing at the same time.
        nonisolated(unsafe) let call = call
        task = Task(executorPreference: manual?.ofCurrentTask) { unsafe await call(isolation) }
      }
      guard watch(task) else { return await task.value }
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
    return state.withLock { $0.hasElapsed }
  }

  /// Sets the timer for a task that has suspended; false if the operation has ended.
  private func watch(_ task: Task<Void, Never>) -> Bool {
    let (isOpen, mustArm) = state.withLock { state in
      guard state.isOpen else { return (false, false) }
      state.task = task
      return (true, state.timer.set(deadline, tolerance: 0, for: self, in: service))
    }
    if mustArm { service.arm() }
    return isOpen
  }

  private func close() {
    let hasCome = deadline <= service.now
    state.release { state in
      _ = state.timer.set(.distantFuture, tolerance: 0, for: self, in: service)
      defer { state = State(isOpen: false, hasElapsed: hasCome || state.hasElapsed) }
      return state
    }
  }

  package func wake(_ handle: TimerService.Handle) {
    let task = state.withLock { state in
      state.timer.fired(handle)
      state.hasElapsed = state.isOpen || state.hasElapsed
      return state.task
    }
    if let task { Place.shared.perform(in: service) { task.cancel() } }
  }
}
