/// Polls something again and again, and hands each result to a closure.
///
/// ```swift
/// let schedule = PollSchedule(every: .seconds(5), slowing: .exponential(from: .seconds(10)))
/// let poller = Poller(schedule, on: .main) { try await fetchStatus() } handler: { poll in
///   show(poll.result)
/// }
/// ```
///
/// Use `PollSchedule.results(clock:judging:_:)` for a stream of results in a task of your own.
///
/// ## Timing
/// As its schedule says. The next poll is made when the handler of the one before has ended.
///
/// ## Concurrency
/// It polls from the moment it is made, in a task of its own, one at a time. After `cancel()` has
/// returned no handler begins; dropping the last reference cancels. On a manual clock it polls
/// inside `advance`: for the first time with the next one.
public final class Poller: Sendable {
  private let hand: PollGate
  private let task: Task<Void, Never>

  private init<Success: Sendable>(
    _ schedule: PollSchedule, service: TimerService, handler: Callback<PollResult<Success>>,
    judging: @escaping @Sendable (Success) -> RetryAdvice?,
    operation: @escaping @Sendable () async throws -> Success
  ) {
    let run = PollRun(schedule, service: service, judging: judging, operation: operation)
    let hand = PollGate()
    self.hand = hand
    // Where time is manual, it polls inside `advance`.
    task = Task.detached(executorPreference: service.manual) {
      while let poll = await run.next() {
        let hasEnded = OneShot<Void>()
        handler.place.perform(in: service) {
          if hand.isOpen { handler.body(poll) }
          hasEnded.resolve(())
        }
        await hasEnded.outcome()
      }
      hand.end()
    }
  }

  /// Begins to poll, with a handler on the library's own threads, or on a queue of yours.
  ///
  /// - Parameters:
  ///   - schedule: When it polls.
  ///   - delivery: Where the handler runs.
  ///   - clock: The clock of the waits.
  ///   - judging: What is to be done about a result, as in
  ///     `PollSchedule.results(clock:judging:_:)`.
  ///   - operation: Polls.
  ///   - handler: What is done with each result.
  public convenience init<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: Delivery = .shared,
    clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (PollResult<Success>) -> Void
  ) {
    self.init(
      schedule, service: clock.service, handler: Callback(on: delivery, handler),
      judging: judging, operation: operation)
  }

  /// Begins to poll, with a handler on the main actor.
  ///
  /// - Parameters:
  ///   - schedule: When it polls.
  ///   - delivery: `.main`.
  ///   - clock: The clock of the waits.
  ///   - judging: What is to be done about a result, as in
  ///     `PollSchedule.results(clock:judging:_:)`.
  ///   - operation: Polls.
  ///   - handler: What is done with each result.
  public convenience init<Success: Sendable>(
    _ schedule: PollSchedule, on delivery: MainDelivery, clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @MainActor (PollResult<Success>) -> Void
  ) {
    self.init(
      schedule, service: clock.service, handler: Callback(on: delivery, handler),
      judging: judging, operation: operation)
  }

  deinit {
    cancel()
  }

  /// Stops polling: a poll that runs is cancelled, and no handler begins any more.
  ///
  /// - Returns: Whether it was polling; false where it was cancelled before, or has come to its
  ///   end.
  @discardableResult
  public func cancel() -> Bool {
    defer { task.cancel() }
    return hand.end()
  }

  /// Whether it polls.
  public var isPolling: Bool { hand.isOpen }
}

/// What decides between a handler that begins and a cancellation.
private final class PollGate: Sendable {
  private let hasEnded = Locked(false)

  /// Whether a handler may begin.
  var isOpen: Bool { !hasEnded.withLock { $0 } }

  /// No handler begins any more; false where that was so already.
  @discardableResult
  func end() -> Bool {
    hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
  }
}
