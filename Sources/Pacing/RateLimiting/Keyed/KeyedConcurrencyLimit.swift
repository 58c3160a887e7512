/// A concurrency limit for each key, and one for all keys together: at most so many operations run
/// at a time for each host, user or tenant.
///
/// ```swift
/// let hosts = KeyedConcurrencyLimit<String>(perKey: 4, total: 64)
/// let page = try await hosts.withPermit(for: url.host) { try await fetch(url) }
/// ```
///
/// A caller takes its key's permit first, in that key's order, and then one of the total, in the
/// order of arrival there, once its task goes on. So a caller that waits for the total holds its
/// key's permit only, and a key with many callers has no more of them before the others than it has
/// permits.
///
/// ## Memory
/// A key without permits and waiters is not stored. There are never more keys than `maximumKeys`: a
/// new one is refused then, since a key that is in use cannot be forgotten.
///
/// ## Concurrency
/// Thread-safe. A caller that leaves while it waits gives back what it holds.
public final class KeyedConcurrencyLimit<Key: Hashable & Sendable>: Sendable {
  private let service: TimerService
  private let total: LimitQueue
  private let keys: KeysInUse<Key>
  private let perKey: @Sendable (Key) -> Int

  /// Creates a limit with the same number of permits for each key.
  ///
  /// - Parameters:
  ///   - count: The most permits of a key held at a time.
  ///   - total: The most permits of all keys together held at a time.
  ///   - maximumKeys: The most keys in use.
  ///   - queue: The bound and the order of each key's waiters.
  ///   - clock: The clock of the timeouts.
  /// - Precondition: All numbers are positive.
  public convenience init(
    perKey count: Int, total: Int, maximumKeys: Int = .max, queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch
  ) {
    ConfigurationError.require(count > 0, "perKey", count, must: "be positive")
    self.init(total: total, maximumKeys: maximumKeys, queue: queue, clock: clock) { _ in count }
  }

  /// Creates a limit with a separate number of permits for each key.
  ///
  /// `perKey` returns the number of permits of a key. It is called on each call for that key, on
  /// the caller's thread and outside every lock. A change takes effect at once. The other
  /// parameters are those of a limit with one number.
  ///
  /// - Precondition: All numbers are positive.
  public init(
    total: Int, maximumKeys: Int = .max, queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch, perKey: @escaping @Sendable (Key) -> Int
  ) {
    ConfigurationError.require(total > 0, "total", total, must: "be positive")
    ConfigurationError.require(maximumKeys > 0, "maximumKeys", maximumKeys, must: "be positive")
    let service = clock.service
    self.service = service
    self.perKey = perKey
    self.total = LimitQueue(.unlimited, service: service) { LimitState(permits: total, at: $0) }
    keys = KeysInUse(maximum: maximumKeys, queue, service)
  }

  // MARK: Verbs

  /// Takes a permit of a key and one of the total, or neither; none while callers wait for either.
  ///
  /// - Returns: The permit, which is given back if it is dropped; nil if it is refused.
  public func tryAcquire(for key: Key) -> Permit? {
    guard let queue = keys.enter(key, count: perKey(key)) else { return nil }
    guard queue.tryAcquire(1, and: total) else {
      keys.leave(key)
      return nil
    }
    let now = service.now
    return permit(
      for: key, Charge(queue: queue, costs: 1, instant: now),
      Charge(queue: total, costs: 1, instant: now))
  }

  /// Takes a permit of a key, waiting for it in turn.
  ///
  /// Prefer `withPermit(for:within:_:)`, which gives it back in any case.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - timeout: The longest wait for the key and the total together, nil for no bound; if it is
  ///     not positive, the call does not wait.
  /// - Returns: The permit. Dropping it gives it back.
  /// - Throws: ``AcquireError`` if no permit can be had in time, the queue is full, there are too
  ///   many keys (`deadline`), or the limit is closed; `CancellationError` if the task is cancelled
  ///   first, and no permit is taken.
  public func acquire(for key: Key, within timeout: Duration? = nil) async throws -> Permit {
    guard let queue = keys.enter(key, count: perKey(key)) else {
      throw AcquireError.deadline(neededWait: nil)
    }
    let end = timeout.map { service.now + Nanoseconds(wait: $0) }
    var own: Charge?
    do {
      let charge = try await queue.acquire(1, within: timeout)
      own = charge
      let rest = end.map { Duration.nanoseconds($0 - service.now) }
      return permit(for: key, charge, try await total.acquire(1, within: rest))
    } catch {
      own?.releasePermit(.unknown)
      keys.leave(key)
      throw error
    }
  }

  /// Runs an operation that holds a permit of a key, and gives it back when the operation ends.
  ///
  /// ## Concurrency
  /// The operation runs on the caller's actor; nothing needs to be Sendable.
  ///
  /// - Returns: The operation's result.
  /// - Throws: The errors of `acquire(for:within:)`, or the operation's.
  public func withPermit<Success>(
    for key: Key, within timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
    _ operation: nonisolated(nonsending) () async throws -> Success
  ) async throws -> Success {
    let permit = try await acquire(for: key, within: timeout)
    defer { permit.release() }
    return try await operation()
  }

  /// A permit of the total, whose return also gives back that of the key.
  private func permit(for key: Key, _ own: Charge, _ shared: Charge) -> Permit {
    Permit(shared) { [keys] in
      own.releasePermit(.unknown)
      keys.leave(key)
    }
  }

  /// Closes the limit: waiters and later callers are refused with `AcquireError.closed`.
  ///
  /// Permits that are held stay valid.
  public func close() {
    total.close(.refused(.closed))
    for queue in keys.queues { queue.close(.refused(.closed)) }
  }

  // MARK: Queries

  /// The number of permits held, of all keys together.
  public var heldCount: Int { total.update { $0.state.permits?.held ?? 0 } }

  /// The number of keys that hold permits or wait.
  public var keyCount: Int { keys.count }

  /// The number of waiters, for their keys or for the total.
  public var waitingCount: Int {
    keys.queues.reduce(total.update { $0.waiters.count }) { $0 + $1.update { $0.waiters.count } }
  }

  /// Counts of what the limit has decided since its creation.
  public var statistics: LimitStatistics {
    var sum = total.update { $0.statistics }
    let others = keys.statistics
    sum.refused += others.refused
    sum.withdrawn += others.withdrawn
    return sum
  }
}

/// The keys that hold permits or wait, each with its queue; retained by the permits.
private final class KeysInUse<Key: Hashable & Sendable>: Sendable {
  private struct Use {
    let queue: LimitQueue
    /// The number of calls that hold a permit or wait for one.
    var calls = 0
  }

  private struct State {
    var uses = [Key: Use]()
    /// What was decided about keys that are no longer in use.
    var statistics = LimitStatistics()
  }

  private let maximum: Int
  private let policy: QueuePolicy
  private let service: TimerService
  private let state = Locked(State())

  init(maximum: Int, _ policy: QueuePolicy, _ service: TimerService) {
    self.maximum = maximum
    self.policy = policy
    self.service = service
  }

  /// The queue of a key that a call begins to use; nil if there are too many keys.
  func enter(_ key: Key, count: Int) -> LimitQueue? {
    ConfigurationError.require(count > 0, "perKey", count, must: "be positive")
    let queue = state.withLock { state -> LimitQueue? in
      guard state.uses[key] != nil || state.uses.count < maximum else {
        state.statistics.refused &+= 1
        return nil
      }
      var use =
        state.uses[key]
        ?? Use(queue: LimitQueue(policy, service: service) { LimitState(permits: count, at: $0) })
      use.calls += 1
      state.uses[key] = use
      return use.queue
    }
    // Compared there: of two calls with different counts the later one there holds.
    queue?.update { if $0.state.permits?.count != count { $0.state.reconfigure(permits: count) } }
    return queue
  }

  /// Ends a call; a key without one is forgotten.
  func leave(_ key: Key) {
    let forgotten: (Key, Use)? = state.withLock { state in
      guard let index = state.uses.index(forKey: key) else { return nil }
      state.uses.values[index].calls -= 1
      guard state.uses.values[index].calls == 0 else { return nil }
      let forgotten = state.uses.remove(at: index)
      // It has no waiters, so that it tells none under the lock.
      state.statistics.add(forgotten.value.queue.update { $0.statistics })
      // A dictionary never gives memory back by itself.
      if state.uses.isEmpty { state.uses = [:] }
      return forgotten
    }
    // The key's release is the user's code, which runs outside the lock.
    withExtendedLifetime(forgotten) {}
  }

  var count: Int { state.withLock { $0.uses.count } }

  var queues: [LimitQueue] { state.withLock { $0.uses.values.map { $0.queue } } }

  /// What was decided about all keys.
  var statistics: LimitStatistics {
    // No queue is asked under the lock, since that may tell its waiters.
    let (sum, queues) = state.withLock { ($0.statistics, $0.uses.values.map { $0.queue }) }
    return queues.reduce(into: sum) { $0.add($1.update { $0.statistics }) }
  }
}
