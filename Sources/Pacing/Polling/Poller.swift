/// Polls something regularly and delivers each result: a throttle for network polling.
///
/// ```swift
/// let schedule = PollSchedule(every: .seconds(5), slowing: .exponential(from: .seconds(10)))
/// let poller = Poller(schedule) { try await fetchStatus() }.handle(on: .main) { poll in
///   show(poll.result)
/// }
/// poller.start()
/// ```
///
/// A poller is idle until `start()`. Its results also come as a stream, from `ticks()`; that of
/// `PollSchedule.results(clock:judging:_:)` owns its poller.
///
/// ## Timing
/// As its schedule specifies. The next poll begins after the handler of the last one has ended.
///
/// ## Concurrency
/// Thread-safe. The handler may call any method except `cancelAndWait()`. One poll runs at a time,
/// in a task of its own. After `cancel()` has returned no handler begins; dropping the last
/// reference cancels. If the handler's owner is gone, the next poll that falls due is not made and
/// the polling ends. On a manual clock it polls inside `advance`.
public final class Poller<Success: Sendable>: DeliveringTool {
  fileprivate let pacer: PollPacer<Success>

  /// Creates an idle poller; `handle` attaches a handler to it.
  ///
  /// - Parameters:
  ///   - schedule: When it polls.
  ///   - clock: The clock of the waits.
  ///   - judging: Gives advice on a result. Nil is a success, `.retry(after:)` a success that
  ///     postpones the next poll, and other advice a failure.
  ///   - operation: The operation of a poll.
  public init(
    _ schedule: PollSchedule, clock: any Clock<Duration> = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success
  ) {
    pacer = PollPacer(schedule, clock: clock, judging: judging, operation)
  }

  deinit { cancel() }

  /// Attaches a handler that a form of `handle` has made.
  public func attach(_ handler: Handler<PollResult<Success>>) { pacer.results.attach(handler) }

  /// The results from now on as a stream; each call is a separate subscription.
  public func ticks() -> AsyncStream<PollResult<Success>> { pacer.results.ticks() }

  /// Sets a closure that is called with each result that is not delivered, and the reason.
  public func onDrop(_ observer: @escaping @Sendable (PollResult<Success>, DropReason) -> Void) {
    pacer.results.onDrop(observer)
  }

  /// Starts an idle poller; a suspended one resumes.
  ///
  /// - Returns: Whether the poller started; false if it is running or has ended.
  @discardableResult
  public func start() -> Bool { pacer.begin { $0.start(at: $1) } }

  /// Stops polling until `resume()` or `start()`; a running poll continues, and its handler runs.
  ///
  /// - Returns: Whether the poller was running.
  @discardableResult
  public func suspend() -> Bool { pacer.update { $0.suspend(at: $1) } }

  /// Polls again after `suspend()`; a poller that has not polled yet waits for its first poll as if
  /// it had just been started.
  ///
  /// - Parameter pollingNow: Whether to poll now, not only after one full period. A delay that the
  ///   server specified still holds.
  /// - Returns: Whether the poller was suspended.
  @discardableResult
  public func resume(pollingNow: Bool = false) -> Bool {
    pacer.begin { $0.resume(pollingNow: pollingNow, at: $1) }
  }

  /// Changes the period; the next poll is due one new period from now, or after the backoff or the
  /// server's delay if that is later.
  ///
  /// - Returns: Whether the period changed; false if the poller has ended.
  /// - Precondition: `period` is positive.
  @discardableResult
  public func reschedule(every period: Duration) -> Bool {
    let period = TickSchedule.every(period).period
    return pacer.update { $0.reschedule(every: period, at: $1) }
  }

  /// Polls now, in addition to the grid, which stays where it is.
  ///
  /// During a poll, any number of calls make one more poll after it. During a backoff it polls and
  /// keeps the count of failures; a delay that the server named still holds. An idle or suspended
  /// poller polls once.
  ///
  /// - Returns: Whether there will be a poll: false if the poller has ended.
  @discardableResult
  public func pollNow() -> Bool { pacer.update { $0.pollNow(at: $1) } }

  /// Ends the polling: a running poll is cancelled, and no handler begins any more.
  ///
  /// - Returns: Whether this ended it; false if it had ended before.
  @discardableResult
  public func cancel() -> Bool { pacer.end() }

  /// Ends the polling, and waits until a running poll and its handler have ended.
  ///
  /// - Precondition: It is not called from the poller's own operation or handler.
  public func cancelAndWait() async {
    cancel()
    await pacer.waitForEnd()
  }

  /// Whether it is idle, polls, is suspended, or has ended, with its last handler.
  public var state: DispatchTimer.State { pacer.read { $0.state.phase } }

  /// Why it does not poll any more; nil before its end.
  ///
  /// `exhausted` if the backoff has ended, `permanent` after a permanent failure, `closed` if the
  /// limit was closed, and `cancelled`.
  public var end: GiveUp.Reason? { pacer.read { $0.state.end } }

  /// When the next poll is due; nil while none is.
  public var nextDeadline: PacingInstant? { pacer.read { $0.state.nextPoll }.finite }
}

extension PollSchedule {
  /// The results of a running poller of this schedule, which the stream owns.
  ///
  /// The parameters are those of `Poller.init(_:clock:judging:_:)`. Polling begins at the call. A
  /// slow consumer receives the newest result. The stream ends when the polling does; cancelling
  /// the consumer's task or releasing the stream ends the polling, and cancels a running poll.
  public func results<Success: Sendable>(
    clock: any Clock<Duration> = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> AsyncStream<PollResult<Success>> {
    let poller = Poller(self, clock: clock, judging: judging, operation)
    let results = poller.pacer.results.pacer.consumer(keeping: poller).ticks { result in
      result.get(PollResult<Success>.self)
    }
    poller.start()
    return results
  }
}

/// One poll: its place on the grid, its result, and how many have failed in a row.
public struct PollResult<Success: Sendable>: Sendable {
  /// The tick that was due: its index, the scheduled and the actual instant, and how many were
  /// missed.
  public let tick: Tick

  /// What the operation returned or threw.
  public let result: Result<Success, any Error>

  /// How many polls have failed in a row, this one included; zero for a success.
  public let failures: Int

  /// Creates a poll's result, to test code that receives one.
  public init(tick: Tick, result: Result<Success, any Error>, failures: Int = 0) {
    self.tick = tick
    self.result = result
    self.failures = failures
  }

  /// What the operation returned; nil for a failure.
  public var value: Success? { try? result.get() }
}
