/// One run of a retry, behind every face: a `RetryState` with the waits, the hooks and the limits.
struct RetryRun: Sendable {
  /// What follows an attempt that did not succeed.
  enum Next {
    /// The next attempt, whose wait is over.
    case attempt
    /// There is no further attempt.
    case giveUp(GiveUp)
    /// The task was cancelled, before or during the wait.
    case cancelled
  }

  private var state: RetryState
  private let service: TimerService

  private var policy: RetryPolicy { state.policy }

  init(_ policy: RetryPolicy, on service: TimerService) {
    self.service = service
    state = RetryState(policy, start: service.now)
  }

  /// Begins the attempt that is due.
  mutating func begin() {
    policy.beforeAttempt(state.attempt)
    state.begin(at: service.now)
  }

  /// Notes the success of the attempt, which ends the run.
  mutating func succeeded() {
    policy.afterAttempt(state.succeeded(at: service.now))
  }

  /// Notes that the attempt is left because its task is cancelled.
  mutating func left() { _ = state.cancelled(with: nil, at: service.now) }

  /// Makes the attempt within the policy's limit and time.
  ///
  /// - Returns: The operation's result; a `TimeoutError`, if `Failure` can be one, for an attempt
  ///   that took too long.
  mutating func attempt<Success, Failure: Error>(
    _ operation: nonisolated(nonsending) (Attempt) async throws(Failure) -> Success
  ) async -> Result<Success, Failure> {
    if let limit = policy.limit {
      state.isMade = false
      // A wait that ended when the time is over would be too late.
      let patience = min(policy.limitPatience, state.timeLeft(at: service.now) ?? .never)
      let timeout = patience == .never ? nil : Duration.nanoseconds(max(0, patience - 1))
      do {
        let spent = try await limit.acquire(1, within: timeout)
        if state.timeLeft(at: service.now) == 0 {
          (spent as? any Refundable)?.cancel()
          throw AcquireError.deadline(neededWait: nil)
        }
        state.begin(at: service.now)
      } catch {
        return .failure(error as! Failure)
      }
    }
    if let timeout = policy.attemptTimeout { return await attempt(within: timeout, operation) }
    do throws(Failure) {
      return .success(try await operation(state.attempt))
    } catch {
      return .failure(error)
    }
  }

  // Apart from the attempt without a limit, so that this needs no room for its locals.
  private func attempt<Success, Failure: Error>(
    within attemptTimeout: Duration,
    _ operation: nonisolated(nonsending) (Attempt) async throws(Failure) -> Success
  ) async -> Result<Success, Failure> {
    let now = service.now
    let timeout = min(Nanoseconds(wait: attemptTimeout), state.timeLeft(at: now) ?? .never)
    let limit = Duration.nanoseconds(timeout)
    let scope = DeadlineInForce(now + timeout, limit: limit, on: service)
    if timeout == 0, let error = scope.error as? Failure { return .failure(error) }
    var result: Result<Success, Failure>?
    let isLate = await scope.run {
      do throws(Failure) {
        result = .success(try await operation(state.attempt))
      } catch {
        result = .failure(error)
      }
    }
    if isLate, let error = scope.error as? Failure { return .failure(error) }
    return result!
  }

  /// As `RetryState.failed`, then waits until the next attempt may begin; tells the policy's hooks.
  mutating func next(
    after error: (any Error)?, advice: RetryAdvice? = nil, before deadline: PacingInstant? = nil
  ) async -> Next {
    let ended = state.attempt
    guard !Task.isCancelled else {
      end(ended, with: state.cancelled(with: error, at: service.now))
      return .cancelled
    }
    switch state.failed(with: error, advice: advice, before: deadline, at: service.now) {
    case .giveUp(let giveUp):
      end(ended, with: giveUp)
      return .giveUp(giveUp)
    case .retry(let next, let instant):
      policy.afterAttempt(state.report(of: ended, error: error, next: next))
      // Cancellation wins even if the sleep has ended.
      try? await service.sleep(until: instant)
      if Task.isCancelled {
        policy.onGiveUp(state.cancelled(with: error, whileWaiting: true, at: service.now))
        return .cancelled
      }
      guard let giveUp = state.overslept(after: error, at: service.now) else { return .attempt }
      policy.onGiveUp(giveUp)
      return .giveUp(giveUp)
    }
  }

  /// Waits for the next attempt; false if the result of this one stands.
  mutating func goesOn<Success, Failure: Error>(
    after result: Result<Success, Failure>, _ advice: RetryAdvice?
  ) async throws(Failure) -> Bool {
    let error: Failure? = if case .failure(let failure) = result { failure } else { nil }
    let deadline = DeadlineInForce.current(on: service)?.deadline
    switch await next(after: error, advice: advice, before: deadline) {
    case .attempt: return true
    case .cancelled:
      if let cancellation = CancellationError() as? Failure, !(error is CancellationError) {
        throw cancellation
      }
    case .giveUp: break
    }
    if let own = (error as? PermanentError)?.underlying as? Failure { throw own }
    return false
  }

  /// Tells the hooks of an end that came with the attempt.
  private func end(_ attempt: Attempt, with giveUp: GiveUp) {
    policy.afterAttempt(state.report(of: attempt, error: giveUp.error))
    policy.onGiveUp(giveUp)
  }
}

/// The loop behind every form of `retry`.
func run<Success, Failure: Error>(
  _ policy: RetryPolicy, on service: TimerService, judging: (Success) -> RetryAdvice?,
  _ operation: nonisolated(nonsending) (Attempt) async throws(Failure) -> Success
) async throws(Failure) -> Success {
  ConfigurationError.require(
    policy.limit == nil || Failure.self == (any Error).self, "limited(by:)", Failure.self,
    must: "be used with an operation that is plain throws")
  var run = RetryRun(policy, on: service)
  while true {
    run.begin()
    let result = await run.attempt(operation)
    var advice: RetryAdvice?
    if case .success(let success) = result {
      advice = judging(success)
      guard advice != nil else {
        run.succeeded()
        return success
      }
    }
    guard try await run.goesOn(after: result, advice) else { return try result.get() }
  }
}
