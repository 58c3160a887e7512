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
  private let total: LimitQueue
  /// The permits of each key; one that is in use is never full, so the table forgets none.
  private let keys: KeyedShard<Key>

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
    self.total = LimitQueue(.unlimited, service: service) { LimitState(permits: total, at: $0) }
    let state = KeyedShard<Key>.State(maximum: maximumKeys, whenFull: .refuse, at: service.now)
    keys = KeyedShard(state, queue, service) { key in
      let count = perKey(key)
      ConfigurationError.require(count > 0, "perKey", count, must: "be positive")
      return .permits(count)
    }
  }

  /// Takes a permit of a key and one of the total, or neither; none while callers wait for either.
  ///
  /// - Returns: The permit, which is given back if it is dropped; nil if it is refused.
  public func tryAcquire(for key: Key) -> Permit? {
    var instant: PacingInstant?
    var duties: QueueContents.Duties?
    keys.change(key, key.keyHash, keys.limits(key), isGrant: true, counts: true) { _ in
    } _: { contents, _ in
      if contents.tryAcquire(1, and: { total.tryAcquire(1, &duties) }) {
        instant = contents.state.latest
      }
      return true
    }
    duties?.fulfil()
    return instant.map { permit(for: key, Charge(queue: total, costs: 1, instant: $0)) }
  }

  /// Takes a permit of a key in turn, as `ConcurrencyLimit.acquire(_:within:)` does.
  ///
  /// The timeout bounds the waits for the key and for the total together. If there are too many
  /// keys, a new one is refused with `AcquireError.deadline`.
  public func acquire(for key: Key, within timeout: Duration? = nil) async throws -> Permit {
    let end = timeout.map { keys.service.now + Nanoseconds(wait: $0) }
    _ = try await keys.take(1, for: key, key.keyHash, within: timeout)
    do {
      let rest = end.map { Duration.nanoseconds($0 - keys.service.now) }
      return permit(for: key, try await total.acquire(1, within: rest))
    } catch {
      keys.releasePermit(of: key)
      throw error
    }
  }

  /// Runs an operation that holds a permit of a key, and gives it back when the operation ends, as
  /// `ConcurrencyLimit.withPermit(_:within:_:)` does.
  public func withPermit<Success>(
    for key: Key, within timeout: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
    _ operation: nonisolated(nonsending) () async throws -> Success
  ) async throws -> Success {
    let permit = try await acquire(for: key, within: timeout)
    defer { permit.release() }
    return try await operation()
  }

  private func permit(for key: Key, _ charge: Charge) -> Permit {
    Permit(charge) { [keys] in keys.releasePermit(of: key) }
  }

  /// Closes the limit: waiters and later callers are refused with `AcquireError.closed`, and
  /// permits that are held stay valid.
  public func close() {
    total.close(.refused(.closed))
    keys.close(.refused(.closed))
  }

  /// The number of permits held, of all keys together.
  public var heldCount: Int { total.update { $0.state.permits?.held ?? 0 } }

  /// The number of keys that hold permits or wait.
  public var keyCount: Int { keys.state.withLock { $0.keyCount } }

  /// The number of waiters, for their keys or for the total.
  public var waitingCount: Int {
    total.update { $0.waiters.count } + keys.state.withLock { $0.waitingCount }
  }

  /// Counts of what the limit has decided since its creation.
  public var statistics: LimitStatistics {
    var sum = total.update { $0.statistics }
    let others = keys.state.withLock { $0.decided }
    sum.refused += others.refused
    sum.withdrawn += others.withdrawn
    return sum
  }
}
