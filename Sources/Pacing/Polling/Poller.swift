/// Polls something again and again, and passes each result to a closure: a throttle for network
/// polling.
///
/// ```swift
/// let schedule = PollSchedule(every: .seconds(5), slowing: .exponential(from: .seconds(10)))
/// let poller = Poller.scheduled(schedule) { try await fetchStatus() } handler: { poll in
///   show(poll.result)
/// }
/// ```
///
/// `Poller(…)` is idle until `start()`, `Poller.scheduled(…)` polls. Use
/// `PollSchedule.results(clock:judging:_:)` for a stream of results in a task of your own.
///
/// ## Timing
/// As its schedule specifies. The next poll begins after the handler of the last one has ended.
///
/// - `pollNow()` polls between two ticks and leaves the grid where it is. During a poll, any number
///   of calls make one more poll after it. During a backoff it polls and keeps the count of
///   failures. A delay that the server named still holds.
/// - After `resume()` the next poll is due one period later, after `resume(pollingNow: true)` now.
/// - A poll that its limit refuses is missed, and counted; only closing the limit ends the polling.
///
/// ## Concurrency
/// Thread-safe; every method may be called from inside the handler, but for `cancelAndWait()`. One
/// poll runs at a time, in a task of its own. After `cancel()` has returned no handler begins;
/// dropping the last reference cancels. On a manual clock it polls inside `advance`.
public final class Poller: Sendable {
  private let core: PollCore
  private let life: Locked<Life>

  private struct Life {
    /// What the task does; released when it begins or the poller is cancelled.
    var loop: (@Sendable () async -> Void)?
    var task: Task<Void, Never>?
  }

  init<Success: Sendable>(
    _ schedule: PollSchedule, clock: any PacingClock, handler: PollHandler<Success>,
    judging: @escaping @Sendable (Success) -> RetryAdvice?,
    operation: @escaping @Sendable () async throws -> Success
  ) {
    let core = PollCore(schedule, service: clock.service)
    let request = PollRequest(judging: judging, operation: operation)
    self.core = core
    life = Locked(
      Life(loop: {
        while let poll = await core.poll(request), await handler.receive(poll, core) {}
        core.noteOver()
      }))
  }

  deinit {
    cancel()
  }

  // MARK: Life

  /// Starts an idle poller; a suspended one resumes.
  ///
  /// - Returns: Whether it did anything. A poller that polls or has ended stays as it is.
  @discardableResult
  public func start() -> Bool {
    begin { $0.start(at: $1) }
  }

  /// Stops polling until `resume()` or `start()`.
  ///
  /// A running poll goes on, and its handler runs.
  ///
  /// - Returns: Whether it did anything: whether the poller was polling.
  @discardableResult
  public func suspend() -> Bool {
    core.change { $0.suspend(at: $1) }
  }

  /// Polls again after `suspend()`.
  ///
  /// - Parameter pollingNow: Whether to poll now, not only after one full period. A delay that the
  ///   server named still holds.
  /// - Returns: Whether it did anything: whether the poller was suspended.
  @discardableResult
  public func resume(pollingNow: Bool = false) -> Bool {
    core.change { $0.resume(pollingNow: pollingNow, at: $1) }
  }

  /// Takes another period; the next poll is due one such period from now, or after the backoff or
  /// the server's delay if that is later.
  ///
  /// - Parameter period: The time from one poll to the next.
  /// - Returns: Whether it did anything: false if the poller has ended.
  /// - Precondition: `period` is positive.
  @discardableResult
  public func reschedule(every period: Duration) -> Bool {
    let period = TickSchedule.every(period).period
    return core.change { $0.reschedule(every: period, at: $1) }
  }

  /// Polls now, besides the grid; a running poll is followed by one more.
  ///
  /// An idle or suspended poller polls once.
  ///
  /// - Returns: Whether there will be a poll: false if the poller has ended.
  @discardableResult
  public func pollNow() -> Bool {
    begin { $0.pollNow(at: $1) }
  }

  /// Ends the polling: a running poll is cancelled, no handler begins any more, and the closures
  /// are released.
  ///
  /// - Returns: Whether this ended it; false if it had ended before.
  @discardableResult
  public func cancel() -> Bool {
    let isFirst = core.close()
    let before = life.withLock { life in
      defer { life.loop = nil }
      return life
    }
    before.task?.cancel()
    return isFirst
  }

  /// Ends the polling, and waits until a running poll and its handler have ended.
  ///
  /// - Precondition: It is not called from the poller's own operation or handler.
  public func cancelAndWait() async {
    cancel()
    // On virtual time the task goes on where the clock is advanced.
    core.service.manual?.runReady()
    await life.withLock { $0.task }?.value
  }

  /// Begins the task with the first call that needs one.
  private func begin(_ change: (inout PollState, PacingInstant) -> Bool) -> Bool {
    guard core.change(change) else { return false }
    life.withLock { life in
      guard let loop = life.loop.take() else { return }
      // Where time is manual, it polls inside `advance`.
      life.task = Task.detached(executorPreference: core.service.manual) { await loop() }
    }
    return true
  }

  // MARK: Queries

  /// Whether it polls: false while it is idle or suspended, and after its end.
  public var isPolling: Bool { state == .running }

  /// Whether it is idle, polls, is suspended, or has ended.
  public var state: DispatchTimer.State {
    guard !core.isOver else { return .finished }
    let phase = core.read(\.phase)
    // The handler of the last poll is still to run.
    return phase == .finished ? .running : phase
  }

  /// Why it does not poll any more; nil before its end.
  ///
  /// `exhausted` if the backoff has ended, `permanent` after a permanent failure, `refusedHint` if
  /// the server asked for more than the schedule obeys, `closed` if the limit was closed, and
  /// `cancelled`.
  public var end: GiveUp.Reason? { core.read(\.end) }

  /// What it has done since it was made.
  public var statistics: PollStatistics { core.read(\.statistics) }

  /// When the next poll is due; nil while none is.
  public var nextDeadline: PacingInstant? {
    let deadline = core.read(\.deadline)
    return deadline == .distantFuture ? nil : deadline
  }
}
