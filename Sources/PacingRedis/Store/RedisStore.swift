public import Pacing

/// A Redis or Valkey server or cluster that holds limits: a client with a deadline and a circuit
/// breaker.
///
/// Make one store for all limiters on a server. The closure makes one call with any client. It runs
/// in a separate task that is never cancelled, because some clients close their connection on
/// cancellation.
///
/// ```swift
/// let store = RedisStore { call in
///   try await client.send(call.command, call.words)
/// }
/// let limiter = SharedRateLimiter<String>(
///   rate: .perSecond(100), burst: 200, in: store, onFailure: .allow) { "limit:\($0)" }
/// ```
///
/// ## Failures
/// A call that does not end within the timeout counts as a failure, as does every error except one
/// about the call's own keys. After `failureCount` consecutive failures the breaker opens: one call
/// per `pause` tries the store, and a success closes the breaker. A call is repeated only if the
/// server does not know the script, because any other failed call may have been charged.
///
/// ## Concurrency
/// All methods are thread-safe.
public final class RedisStore: Sendable {
  private enum Server: Sendable {
    case client(@Sendable (ScriptCall) async throws -> [Int64])
    case model(ScriptModel)
  }

  private struct State {
    var breakers: [Breaker]
    /// The calls under way of each part.
    var pending: [Int]
    var statistics = StoreStatistics()
    /// How long an answer takes: the longest, from which each shorter one takes an eighth of the
    /// difference.
    var answerTime = Duration.zero
    var subscribers = [Int: AsyncStream<StoreState>.Continuation]()
    var nextSubscriber = 0
    /// Changes not yet delivered, each with those who subscribed before it.
    var changes = [(state: StoreState, subscribers: [AsyncStream<StoreState>.Continuation])]()
    var isHandingOut = false

    var isAvailable: Bool { breakers.allSatisfy { !$0.isOpen } }

    var current: StoreState {
      isAvailable ? .available : .unavailable(reason: statistics.lastFailure ?? "unknown")
    }
  }

  let policy: StorePolicy
  let clock: any Clock<Duration>
  let service: TimerService
  private let server: Server
  private let state: Locked<State>

  /// Creates a store from a client.
  ///
  /// - Parameters:
  ///   - policy: The timeout, and when the breaker opens.
  ///   - clock: The clock of deadlines and pauses.
  ///   - run: Makes one call, and returns the numbers of the reply. It begins on the caller's
  ///     thread, so it must not block.
  public convenience init(
    _ policy: StorePolicy = .standard, clock: any Clock<Duration> = .dispatch,
    run: @escaping @Sendable (ScriptCall) async throws -> [Int64]
  ) {
    self.init(policy, clock: clock, .client(run))
  }

  /// Creates a store in this process, for tests and for a first run without a server.
  ///
  /// It decides as a server does, without waits or failures, by the given clock.
  ///
  /// - Parameter clock: The clock by which limits refill.
  /// - Returns: The store.
  public static func inMemory(clock: any Clock<Duration> = .dispatch) -> RedisStore {
    RedisStore(.standard, clock: clock, .model(ScriptModel()))
  }

  private init(_ policy: StorePolicy, clock: any Clock<Duration>, _ server: Server) {
    self.policy = policy
    self.clock = clock
    self.server = server
    service = clock.service
    state = Locked(
      State(
        breakers: Array(repeating: Breaker(policy), count: policy.parts),
        pending: Array(repeating: 0, count: policy.parts)))
  }

  deinit {
    let subscribers = state.withLock { Array($0.subscribers.values) }
    for subscriber in subscribers { subscriber.finish() }
  }

  /// Whether the store answers, as far as is known.
  public var isAvailable: Bool { state.withLock { $0.isAvailable } }

  /// Counts of the calls so far.
  public var statistics: StoreStatistics {
    state.withLock { state in
      changing(state.statistics) { $0.pending = state.pending.reduce(0, +) }
    }
  }

  /// How long an answer is expected to take.
  var answerTime: Duration { state.withLock { $0.answerTime } }

  /// The current state, followed by each change of availability.
  ///
  /// - Returns: A stream that buffers the newest 16 changes and finishes with the store.
  public func states() -> AsyncStream<StoreState> {
    let (stream, subscriber) = AsyncStream.makeStream(
      of: StoreState.self, bufferingPolicy: .bufferingNewest(16))
    let id = state.withLock { state in
      defer { state.nextSubscriber += 1 }
      return state.nextSubscriber
    }
    subscriber.onTermination = { [weak self] _ in
      let removed = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
    // Subscribing and yielding the current state are atomic: no change is missed or repeated.
    state.withLock { state in
      subscriber.yield(state.current)
      state.subscribers[id] = subscriber
    }
    return stream
  }

  // MARK: Calls

  /// Runs the script, and calls `done` once, unless the outcome is known immediately.
  ///
  /// - Parameters:
  ///   - inquiry: What to ask.
  ///   - isFollowUp: Whether it follows another call, which may be on the stack.
  ///   - done: Receives the answer or a failure.
  /// - Returns: The outcome, if it is known immediately.
  func ask(
    _ inquiry: Inquiry, isFollowUp: Bool = false,
    _ done: @escaping @Sendable (Result<Inquiry.Reply, StoreFault>) -> Void
  ) -> Result<Inquiry.Reply, StoreFault>? {
    let part = part(of: inquiry)
    let begun = service.now
    let fault = state.withLock { state -> StoreFault? in
      guard state.pending[part] < policy.callLimit else {
        state.statistics.overLimit += 1
        state.statistics.lastFailure = StoreFault.callLimit.reason
        return .callLimit
      }
      guard state.breakers[part].admits(at: begun) else {
        state.statistics.spared += 1
        return .isOpen
      }
      state.statistics.calls += 1
      state.pending[part] += 1
      return nil
    }
    if let fault { return .failure(fault) }
    switch server {
    case .model(let model):
      defer { ended(part) }
      return .success(model.reply(to: inquiry, at: begun))
    case .client(let run):
      Exchange(self, inquiry, part: part, begun: begun, done)
        .start(isFollowUp: isFollowUp, run)
      return nil
    }
  }

  /// Runs the script and waits for its answer.
  func ask(_ inquiry: Inquiry) async -> Result<Inquiry.Reply, StoreFault> {
    let answer = OneShot<Result<Inquiry.Reply, StoreFault>>(countedBy: service.manual)
    if let outcome = ask(inquiry, { answer.resolve($0) }) { return outcome }
    return await answer.outcome()
  }

  /// The index of the breaker that a call belongs to.
  private func part(of inquiry: Inquiry) -> Int {
    guard policy.parts > 1, let name = inquiry.buckets.first?.name else { return 0 }
    return HashSlot.slot(of: name) * policy.parts / HashSlot.count
  }

  /// Records a quota that the script cannot count.
  func noteUnreadable(_ quota: Quota) {
    state.withLock { state in
      state.statistics.failed += 1
      state.statistics.lastFailure = "\(StoreFault.unreadable.reason): \(quota)"
    }
  }

  /// Records that a call is repeated.
  func repeated() {
    state.withLock { $0.statistics.calls += 1 }
  }

  /// Records that a call ended, in time or not.
  func ended(_ part: Int) {
    state.withLock { $0.pending[part] -= 1 }
  }

  /// Records the outcome of a call as its caller saw it.
  func note(_ fault: StoreFault?, part: Int, begun: PacingInstant) {
    let mustHandOut = state.withLock { state in
      let before = state.isAvailable
      if let fault {
        if fault == .timeout {
          state.statistics.timedOut += 1
        } else {
          state.statistics.failed += 1
        }
        state.statistics.lastFailure = fault.reason
      } else {
        let time = begun.duration(to: service.now)
        state.answerTime = max(time, state.answerTime - (state.answerTime - time) / 8)
      }
      // An error about a key is an answer of the server.
      if let fault, !fault.concernsKeys {
        state.breakers[part].failed(begun: begun, at: service.now)
      } else {
        state.breakers[part].succeeded()
      }
      guard state.isAvailable != before else { return false }
      state.changes.append((state.current, Array(state.subscribers.values)))
      defer { state.isHandingOut = true }
      return !state.isHandingOut
    }
    if mustHandOut { handOut() }
  }

  /// Delivers changes to subscribers, in order, from the one thread that has taken this duty.
  private func handOut() {
    while true {
      let changes = state.withLock { state in
        defer { state.changes = [] }
        state.isHandingOut = !state.changes.isEmpty
        return state.changes
      }
      guard !changes.isEmpty else { return }
      for change in changes {
        for subscriber in change.subscribers { subscriber.yield(change.state) }
      }
    }
  }
}
