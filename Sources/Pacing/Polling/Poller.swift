/// Polls something again and again, and delivers each result: a throttle for network polling.
///
/// ```swift
/// let schedule = PollSchedule(every: .seconds(5), slowing: .exponential(from: .seconds(10)))
/// let poller = Poller(schedule) { try await fetchStatus() }.handle(on: .main) { poll in
///   show(poll.result)
/// }
/// poller.start()
/// ```
///
/// A poller is idle until `start()`. Use `PollSchedule.results(clock:judging:_:)` for a stream of
/// results in a task of your own.
///
/// ## Timing
/// As its schedule specifies. The next poll begins after the handler of the last one has ended.
///
/// - `pollNow()` polls between two ticks and leaves the grid where it is. During a poll, any number
///   of calls make one more poll after it. During a backoff it polls and keeps the count of
///   failures. A delay that the server named still holds.
/// - After `resume()` the next poll is due one period later, after `resume(pollingNow: true)` now.
///   A poller that has not polled yet waits for its first poll as if it had just been started.
/// - A poll that its limit refuses is missed, and counted; only closing the limit ends the polling.
///
/// ## Concurrency
/// Thread-safe. The handler may call any method except `cancelAndWait()`. One poll runs at a time,
/// in a task of its own. After `cancel()` has returned no handler begins; dropping the last
/// reference cancels. If the handler's owner is gone, the next poll that falls due is not made and
/// the polling ends. On a manual clock it polls inside `advance`.
public final class Poller<Success: Sendable>: DeliveringTool {
  private let core: PollCore
  private let pacer: Pacer<PollResultState<Success>>
  private let life: Locked<Life>

  private enum Life {
    typealias Loop = @Sendable () async -> Void

    case idle(Loop)
    case begun(Task<Void, Never>)
    /// Cancelled before it had a task.
    case cancelled

    var task: Task<Void, Never>? {
      if case .begun(let task) = self { task } else { nil }
    }
  }

  /// Creates an idle poller; `handle` attaches a handler to it.
  ///
  /// - Parameters:
  ///   - schedule: When it polls.
  ///   - clock: The clock of the waits.
  ///   - judging: Gives advice on a result, as in `PollSchedule.results(clock:judging:_:)`.
  ///   - operation: Polls.
  public init(
    _ schedule: PollSchedule, clock: any Clock<Duration> = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success
  ) {
    let core = PollCore(schedule, service: clock.service)
    let pacer = Pacer(PollResultState<Success>(), service: clock.service)
    let request = PollRequest(
      judging: judging, isWanted: { !pacer.isDeserted }, operation: operation)
    life = Locked(
      .idle {
        while let poll = await core.poll(request) {
          pacer.update { state, _ in state.take(poll) }
          await pacer.waitForHandler()
        }
        core.noteOver()
        pacer.update { state, _ in state.finish() }
      })
    self.core = core
    self.pacer = pacer
  }

  /// Creates a poller and starts it; dropping it cancels.
  ///
  /// - Parameters:
  ///   - schedule: When it polls.
  ///   - clock: The clock of the waits.
  ///   - judging: Gives advice on a result, as in `PollSchedule.results(clock:judging:_:)`.
  ///   - operation: Polls.
  ///   - handler: Receives each result, on the library's threads.
  /// - Returns: The running poller.
  public static func scheduled(
    _ schedule: PollSchedule, clock: any Clock<Duration> = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success,
    handler: @escaping @Sendable (PollResult<Success>) -> Void
  ) -> Poller {
    let poller = Poller(schedule, clock: clock, judging: judging, operation).handle(handler)
    poller.start()
    return poller
  }

  deinit { cancel() }

  /// Attaches a handler that a form of `handle` has made.
  public func attach(_ handler: Handler<PollResult<Success>>) { pacer.attach(handler) }

  /// The results from now on as a stream; each call is a separate subscription.
  ///
  /// A slow consumer receives the newest result.
  public func ticks() -> AsyncStream<PollResult<Success>> { pacer.ticks { $0 } }

  /// Sets a closure that is called with each result that is not delivered, and the reason.
  public func onDrop(_ observer: @escaping @Sendable (PollResult<Success>, DropReason) -> Void) {
    pacer.observeDrops(observer)
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
  /// A running poll continues, and its handler runs.
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

  /// Polls now, in addition to the grid; a running poll is followed by one more.
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
    let withdrawn = pacer.withdrawAll(where: nil) { (state: inout PollResultState<Success>) in
      state.finish()
      return state.cancelAll()
    }
    let before = life.withLock { life in
      defer { if life.task == nil { life = .cancelled } }
      return life
    }
    before.task?.cancel()
    withExtendedLifetime(withdrawn) {}
    return isFirst
  }

  /// Ends the polling, and waits until a running poll and its handler have ended.
  ///
  /// - Precondition: It is not called from the poller's own operation or handler.
  public func cancelAndWait() async {
    cancel()
    guard let task = life.withLock({ $0.task }) else { return }
    guard let manual = core.service.manual else { return await task.value }
    await manual.end(of: task)
  }

  /// Begins the task with the first call that needs one.
  private func begin(_ change: (inout PollState, PacingInstant) -> Bool) -> Bool {
    guard core.change(change) else { return false }
    let before = life.withLock { life in
      defer {
        if case .idle(let loop) = life { life = .begun(task(loop)) }
      }
      return life
    }
    withExtendedLifetime(before) {}
    return true
  }

  /// Begins the task; if time is manual, it polls inside `advance`.
  private func task(_ loop: @escaping Life.Loop) -> Task<Void, Never> {
    Task.detached(executorPreference: core.service.manual) { await loop() }
  }

  // MARK: Queries

  /// Whether it polls: false while it is idle or suspended, and after its end.
  public var isPolling: Bool { state == .running }

  /// Whether it is idle, polls, is suspended, or has ended.
  public var state: DispatchTimer.State {
    guard !core.isOver else { return .finished }
    let phase = core.read { $0.phase }
    // The handler of the last poll is still to run.
    return phase == .finished ? .running : phase
  }

  /// Why it does not poll any more; nil before its end.
  ///
  /// `exhausted` if the backoff has ended, `permanent` after a permanent failure, `refusedHint` if
  /// the server asked for more than the schedule obeys, `closed` if the limit was closed, and
  /// `cancelled`.
  public var end: GiveUp.Reason? { core.read { $0.end } }

  /// What it has done since it was made.
  public var statistics: PollStatistics { core.read { $0.statistics } }

  /// When the next poll is due; nil while none is.
  public var nextDeadline: PacingInstant? { core.read { $0.deadline }.finite }
}

/// A poller's newest result, which is due at once.
struct PollResultState<Success: Sendable>: PacedState {
  private var pending: PollResult<Success>?
  private(set) var isFinished = false

  var deadline: PacingInstant { pending == nil ? .distantFuture : .distantPast }
  var outlivesItsTool: Bool { false }

  mutating func take(_ result: PollResult<Success>) {
    if !isFinished { pending = result }
  }

  mutating func due(at now: PacingInstant) -> PollResult<Success>? { pending.take() }

  mutating func cancel() -> PollResult<Success>? { pending.take() }

  mutating func finish() { isFinished = true }
}
