public import Pacing

/// A Redis or Valkey server, or a cluster, that holds limits: the program's own client, with a
/// deadline and a breaker around it.
///
/// Make one for all limiters on a server. The closure makes one call with any client; it runs in a
/// task of its own, which is never cancelled, because some clients close their connection then.
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
/// A call that has not ended within the timeout is a failure, and so is every error but those about
/// the call's own keys. After `failureCount` of them in a row the store is left alone; one call in
/// each `pause` tries it again, and a success makes it available. Nothing is asked twice, for the
/// first call may have been charged, but for a script that the server does not know.
///
/// ## Concurrency
/// All methods may be called from any thread.
public final class RedisStore: Sendable {
  /// What answers calls.
  private enum Server: Sendable {
    case client(@Sendable (ScriptCall) async throws -> [Int64])
    case model(ScriptModel)
  }

  private struct State {
    var breakers: [Breaker]
    var statistics = StoreStatistics()
    var subscribers = [Int: AsyncStream<StoreState>.Continuation]()
    var nextSubscriber = 0
    /// Changes that are not yet handed out.
    var changes = [StoreState]()
    var isHandingOut = false

    var isAvailable: Bool { breakers.allSatisfy { !$0.isOpen } }

    var current: StoreState {
      isAvailable ? .available : .unavailable(reason: statistics.lastFailure ?? "unknown")
    }
  }

  let policy: StorePolicy
  let clock: any PacingClock
  let service: TimerService
  private let server: Server
  private let state: Locked<State>

  /// Makes a store of a client.
  ///
  /// - Parameters:
  ///   - policy: How long the store is waited for, and when it is left alone.
  ///   - clock: The clock of deadlines and pauses.
  ///   - run: Makes one call, and returns the numbers of the reply.
  public convenience init(
    _ policy: StorePolicy = .standard, clock: any PacingClock = .dispatch,
    run: @escaping @Sendable (ScriptCall) async throws -> [Int64]
  ) {
    self.init(policy, clock: clock, .client(run))
  }

  /// A store in this process, for tests and for a first run without a server.
  ///
  /// It decides as a server does, without waiting and without failures, by the given clock.
  ///
  /// - Parameter clock: The clock by which limits refill.
  /// - Returns: The store.
  public static func inMemory(clock: any PacingClock = .dispatch) -> RedisStore {
    RedisStore(.standard, clock: clock, .model(ScriptModel()))
  }

  private init(_ policy: StorePolicy, clock: any PacingClock, _ server: Server) {
    self.policy = policy
    self.clock = clock
    self.server = server
    service = clock.service
    state = Locked(
      State(breakers: Array(repeating: Breaker(policy), count: policy.parts)))
  }

  deinit {
    let subscribers = state.withLock { Array($0.subscribers.values) }
    for subscriber in subscribers { subscriber.finish() }
  }

  /// Whether it answers, as far as is known.
  public var isAvailable: Bool { state.withLock { $0.isAvailable } }

  /// What it has been asked so far.
  public var statistics: StoreStatistics { state.withLock { $0.statistics } }

  /// Each change of availability; the first element is the present state.
  ///
  /// - Returns: A stream, which ends with the store and keeps the newest 16 changes.
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
    // Added and told the present state in one step: no change is missed or repeated.
    let mustHandOut = state.withLock { state in
      subscriber.yield(state.current)
      state.subscribers[id] = subscriber
      return !state.changes.isEmpty && !state.isHandingOut
    }
    if mustHandOut { handOut() }
    return stream
  }

  // MARK: Calls

  /// Whether calls end before they return.
  var isImmediate: Bool {
    if case .model = server { true } else { false }
  }

  /// Asks the script; `done` is called once, with the answer or when the time is over.
  func ask(
    _ inquiry: Inquiry, _ done: @escaping @Sendable (Result<Inquiry.Reply, StoreFault>) -> Void
  ) {
    let part = part(of: inquiry)
    let begun = service.now
    let fault = state.withLock { state -> StoreFault? in
      guard state.statistics.pending < policy.callLimit else {
        state.statistics.overLimit += 1
        state.statistics.lastFailure = StoreFault.callLimit.reason
        return .callLimit
      }
      guard state.breakers[part].admits(at: begun) else {
        state.statistics.spared += 1
        return .isOpen
      }
      state.statistics.calls += 1
      state.statistics.pending += 1
      return nil
    }
    if let fault { return done(.failure(fault)) }
    switch server {
    case .model(let model):
      let reply = model.reply(to: inquiry, at: begun)
      ended()
      done(.success(reply))
    case .client(let run):
      Exchange(self, inquiry, part: part, begun: begun, done).start(run)
    }
  }

  /// Asks the script and waits for its answer.
  func ask(_ inquiry: Inquiry) async -> Result<Inquiry.Reply, StoreFault> {
    let answer = Answer<Result<Inquiry.Reply, StoreFault>>(service)
    ask(inquiry) { answer.decide($0) }
    return await answer.value()
  }

  /// The breaker that a call belongs to.
  private func part(of inquiry: Inquiry) -> Int {
    guard policy.parts > 1, let name = inquiry.buckets.first?.name else { return 0 }
    return HashSlot.slot(of: name) * policy.parts / HashSlot.count
  }

  /// Notes a quota that the script cannot count.
  func noteUnreadable(_ quota: Quota) {
    state.withLock { state in
      state.statistics.failed += 1
      state.statistics.lastFailure = "\(StoreFault.unreadable.reason): \(quota)"
    }
  }

  /// Notes that a call is repeated.
  func repeated() {
    state.withLock { $0.statistics.calls += 1 }
  }

  /// Notes that a call has ended, in time or not.
  func ended() {
    state.withLock { $0.statistics.pending -= 1 }
  }

  /// Notes how a call went, as its caller saw it.
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
        if !fault.concernsKeys { state.breakers[part].failed(begun: begun, at: service.now) }
      } else {
        state.breakers[part].succeeded()
      }
      guard state.isAvailable != before else { return false }
      state.changes.append(state.current)
      return !state.isHandingOut
    }
    if mustHandOut { handOut() }
  }

  /// Tells subscribers of changes, in order, one thread at a time.
  private func handOut() {
    while true {
      let (changes, subscribers) = state.withLock { state in
        let changes = state.changes
        state.changes = []
        state.isHandingOut = !changes.isEmpty
        return (changes, Array(state.subscribers.values))
      }
      guard !changes.isEmpty else { return }
      for change in changes { for subscriber in subscribers { subscriber.yield(change) } }
    }
  }
}
