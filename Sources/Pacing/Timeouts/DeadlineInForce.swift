/// A deadline in force: cancels an operation when its time is over, and is known to what runs
/// inside.
///
/// A task that would wait reads `instant(on:)`, to refuse at once a wait that cannot end in time.
/// The scope that sets a deadline closes it, so a task that outlives the scope is no longer bound.
///
/// ## Concurrency
/// Thread-safe. Cancelling may run user code, such as a cancellation handler that blocks, so it
/// happens on a thread of `.shared` and never on the timer's.
final class DeadlineInForce: TimerTarget {
  private struct State {
    var isOpen = true
    var hasElapsed = false
    var isCancelled = false
    var hasEnded = false
    var task: Task<Void, Never>?
    /// The deadline of the scope around this one; nil after the end, so that chains stay short.
    var outer: DeadlineInForce?
  }

  @TaskLocal private static var innermost: DeadlineInForce?

  let deadline: PacingInstant
  /// What a wait that cannot end in time throws.
  let error: TimeoutError
  private let service: TimerService
  private let entry = LockedTimerEntry()
  private let state: Locked<State>

  /// - Parameters:
  ///   - deadline: The instant at which an operation is too late.
  ///   - limit: The time limit that the error names.
  ///   - service: The service of the clock that the deadline belongs to.
  init(_ deadline: PacingInstant, limit: Duration, on service: TimerService) {
    self.deadline = deadline
    self.service = service
    error = TimeoutError(limit: limit)
    state = Locked(State(outer: Self.innermost))
  }

  // MARK: What waits read

  /// The instant before which a wait of the current task must end; nil if no deadline of the
  /// service's clock is in force.
  static func instant(on service: TimerService) -> PacingInstant? { current(on: service)?.deadline }

  /// The earliest deadline in force on the service's clock.
  static func current(on service: TimerService) -> DeadlineInForce? {
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

  // MARK: The scope

  /// Whether the time is over; a clock that is set back takes no timeout back.
  var isOver: Bool { deadline <= service.now || state.withLock { $0.hasElapsed } }

  /// Runs the operation, in a child task on the caller's actor, and cancels it at the deadline.
  ///
  /// The timer is armed only if the operation suspends.
  ///
  /// - Returns: The operation's own result, whenever it came.
  func run<Success: ~Copyable>(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: nonisolated(nonsending) () async throws -> Success
  ) async -> Result<Success, any Error> {
    defer { close() }
    var result: Result<Success, any Error>?
    // The task has ended when this function returns, so the operation does not escape.
    await withoutActuallyEscaping(operation) { operation in
      let isCancelled = Task.isCancelled
      let body = {
        // It may begin before this function could cancel it.
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        await Self.$innermost.withValue(self) {
          do {
            result = .success(try await operation())
          } catch {
            result = .failure(error)
          }
        }
        self.state.withLock { $0.hasEnded = true }
      }
      await withTaskCancellationHandler {
        let task: Task<Void, Never>
        // Capturing the isolation makes the task run on the caller's actor.
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          task = Task.immediate(executorPreference: service.manual?.ofCurrentTask) {
            _ = isolation
            await body()
          }
        } else {
          task = Task {
            _ = isolation
            await body()
          }
        }
        watch(task)
        await task.value
      } onCancel: {
        self.cancel()
      }
    }
    return result.take()!
  }

  /// Sets the timer for a task that has suspended.
  private func watch(_ task: Task<Void, Never>) {
    let (isCancelled, hasEnded) = state.withLock { state in
      state.task = task
      return (state.isCancelled, state.hasEnded)
    }
    if isCancelled { task.cancel() }
    if !hasEnded { entry.set(deadline, for: self, in: service) }
  }

  private func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  private func close() {
    let before = state.withLock { state in
      defer { state = State(isOpen: false, hasElapsed: state.hasElapsed) }
      return state
    }
    if before.task != nil { entry.set(.distantFuture, for: self, in: service) }
    withExtendedLifetime(before) {}
  }

  func wake(_ handle: TimerService.Handle) {
    entry.fired(handle)
    let task = state.withLock { state in
      state.hasElapsed = state.isOpen || state.hasElapsed
      return state.task
    }
    if let task { Place.shared.perform(in: service) { task.cancel() } }
  }
}
