/// A shard of a keyed limiter: a lock and the keys whose hashes fall to it.
///
/// A key with a quota is a stamp in the table; of one with any limits the table has their state
/// too. A key that waits or is paused has a queue instead, behind the same lock, for which its room
/// in the table is reserved; when nothing waits any more, the queue ends and is an entry again.
///
/// ## Concurrency
/// Thread-safe. What is told, and the keys that are dropped, leave the lock first.
@usableFromInline
final class KeyedShard<Key: Hashable & Sendable>: Sendable {
  /// A key that waits or is paused.
  final class Place: WaiterQueue, @unchecked Sendable {
    let shard: KeyedShard
    // Guarded by the shard's lock, which makes a dynamic exclusivity check redundant.
    /// Nil once the queue has ended.
    @safe @exclusivity(unchecked) var key: Key?
    @safe @exclusivity(unchecked) var contents: QueueContents

    init(_ key: Key, in shard: KeyedShard, _ contents: QueueContents) {
      self.key = key
      self.shard = shard
      self.contents = contents
    }

    var service: TimerService { shard.service }

    func attend(
      sparing leaver: LimitWaiter?, isOnTimer: Bool, _ body: (inout QueueContents) -> Void
    ) {
      shard.hold(isOnTimer: isOnTimer) { $0.perform(self, sparing: leaver, body) }
    }

    func takeDecided(isOnTimer: Bool) -> FIFO<LimitWaiter>? {
      var decided: FIFO<LimitWaiter>?
      shard.hold(isOnTimer: isOnTimer) {
        decided = contents.takeDecided()
        $0.endIfIdle(self)
        return nil
      }
      return decided
    }
  }

  struct State {
    var table: BucketTable
    let whenFull: WhenFull
    let created: PacingInstant
    var latest: PacingInstant
    /// The key of each entry, in the order of entries.
    var keys = ContiguousArray<Key>()
    /// The limits of each entry; empty if keys have quotas.
    var limits = ContiguousArray<LimitState.Entries>()
    var places = [Key: Place]()
    /// Whether a key has a queue, or the shard is closed: asking the dictionary on each call would
    /// need its type metadata.
    var isSpecial = false
    var isClosed = false
    var statistics = LimitStatistics()
    var forgotten = 0
    /// Keys to release outside the lock.
    // Nil instead of empty, because checking an array for emptiness on each call would need its
    // runtime type metadata.
    var dropped: ContiguousArray<Key>?

    init(maximum: Int, whenFull: WhenFull, at now: PacingInstant) {
      table = BucketTable(maximum: maximum)
      self.whenFull = whenFull
      created = now
      latest = now
    }
  }

  let service: TimerService
  let policy: QueuePolicy
  let limits: @Sendable (Key) -> KeyLimits
  let state: Locked<State>

  init(
    _ state: State, _ policy: QueuePolicy, _ service: TimerService,
    _ limits: @escaping @Sendable (Key) -> KeyLimits
  ) {
    self.service = service
    self.policy = policy
    self.limits = limits
    self.state = Locked(state)
  }
}

extension KeyedShard {
  /// Asks a key's bucket in the table, or `otherwise` if the key has a queue or other limits, or if
  /// the shard is closed.
  @inline(__always)
  func ask<Answer: Sendable>(
    _ key: Key, _ hash: UInt64, at now: PacingInstant,
    _ table: (inout State, Quota, TableSlot) -> Answer, otherwise: (KeyLimits) -> Answer
  ) -> Answer {
    let limits = limits(key)
    guard case .bucket(let quota) = limits else { return otherwise(limits) }
    // Dropped keys are released after the lock.
    var dropped: ContiguousArray<Key>?
    let answer = state.withLock { state -> Answer? in
      state.advance(to: now)
      guard !state.isSpecial || !state.isClosed && state.places[key] == nil else { return nil }
      let answer = table(&state, quota, state.slot(key, hash))
      dropped = state.takeDropped()
      return answer
    }
    if let dropped { withExtendedLifetime(dropped) {} }
    return answer ?? otherwise(limits)
  }

  /// Changes a key's limits by the rules of a queue, which it gets if it then waits or is paused;
  /// nothing but a return of a permit if the shard is closed.
  ///
  /// A full table without room for a new key discards the change, and then tells `refused` how long
  /// it has none. What `body` does without a queue may be discarded, and false asks for a queue.
  /// Another key may be forgotten if it `isGrant` and something is spent.
  func change(
    _ key: Key, _ hash: UInt64, _ limits: KeyLimits, at now: PacingInstant? = nil,
    isGrant: Bool = false, isQuery: Bool = false, counts: Bool = false,
    refused: (Duration?) -> Void, _ body: (inout QueueContents, (any WaiterQueue)?) -> Bool
  ) {
    hold(at: now) { state in
      if state.isClosed, !limits.isReturn {
        if counts { state.statistics.note(false, 0) }
        return nil
      }
      if state.isSpecial, let place = state.places[key] {
        return state.perform(place, limits) { _ = body(&$0, place) }
      }
      let slot = state.slot(key, hash)
      // A permit of the total would have to be given back.
      if case .permits = limits, case .refused = slot {
        if counts { state.statistics.note(false, 0) }
        refused(nil)
        return nil
      }
      var changed = QueueContents(state.take(limits, slot), policy, endsWithPause: true)
      let isDone = body(&changed, nil)
      if isQuery, slot.isOfNewKey {
        if case .refused(let roomAt) = slot { refused(roomAt?.wait(from: state.latest)) }
        return nil
      }
      if isDone, changed.isIdle {
        guard !state.keep(changed, of: key, slot, isGrant: isGrant) else { return nil }
      } else if state.makeRoom(for: slot, isGrant: false) {
        let place = Place(key, in: self, changed)
        state.add(place, hash)
        return state.perform(place) { if !isDone { _ = body(&$0, place) } }
      }
      if counts { state.statistics.note(false, 0) }
      refused(slot.roomAt?.wait(from: state.latest))
      return nil
    }
  }

  /// As `change`, with the answer of `body`, or another one if nothing was changed.
  @inline(__always)
  func change<Answer>(
    _ key: Key, _ hash: UInt64, _ limits: KeyLimits? = nil, at now: PacingInstant? = nil,
    isGrant: Bool = false, isQuery: Bool = false, counts: Bool = false, otherwise other: Answer,
    _ body: (inout QueueContents) -> Answer
  ) -> Answer {
    var answer = other
    let limits = limits ?? self.limits(key)
    change(key, hash, limits, at: now, isGrant: isGrant, isQuery: isQuery, counts: counts) { _ in
      if !isQuery { answer = other }
    } _: { contents, _ in
      answer = body(&contents)
      return true
    }
    return answer
  }

  /// The answer to a request for a key, whose limits are not kept for a query.
  func decision(
    _ costs: Costs, for key: Key, _ hash: UInt64, _ limits: KeyLimits, at now: PacingInstant,
    isQuery: Bool = false
  ) -> Decision {
    var decision = Decision.closed
    change(key, hash, limits, at: now, isGrant: true, isQuery: isQuery, counts: !isQuery) {
      // As a request does, which asks the parts of a key before it asks for room.
      if case .parts = limits, !decision.isAllowed || costs.total == 0 { return }
      decision = .tableIsFull(for: $0, isFree: costs.total == 0, isPossible: decision.isPossible)
    } _: { contents, _ in
      decision = isQuery ? contents.peek(costs) : contents.request(costs)
      return true
    }
    return decision
  }

  /// Changes the shard at the present, and does what that leaves to do once it is unlocked.
  func hold(
    at now: PacingInstant? = nil, isOnTimer: Bool = false,
    _ body: (inout State) -> QueueContents.Duties?
  ) {
    let now = now ?? service.now
    var dropped: ContiguousArray<Key>?
    let duties = state.withLock { state in
      state.advance(to: now)
      let duties = body(&state)
      dropped = state.takeDropped()
      return duties
    }
    duties?.fulfil(isOnTimer: isOnTimer)
    guard isOnTimer, !_isPOD(Key.self), dropped != nil else { return }
    // The deinit of a key is the user's code, which no timer waits for. The worker holds the last
    // reference.
    let last = Locked(dropped.take())
    service.perform { last.release { $0.take() } }
  }

  func sweep() {
    hold {
      $0.sweep()
      return nil
    }
  }

  func close(_ outcome: LimitWaiter.Outcome) {
    let now = service.now
    let closed = state.withLock { state in
      state.advance(to: now)
      state.isClosed = true
      state.isSpecial = true
      let places = state.places
      state.places = [:]
      return places.map { key, place in
        let duties = state.perform(place) { $0.close(outcome) }
        state.statistics.add(place.contents.statistics)
        state.store(place.contents.state, of: key, .new)
        return duties
      }
    }
    for duties in closed { duties?.fulfil() }
  }

  /// Takes a cost for a caller, or lets it wait in its key's queue.
  func enter(
    _ costs: Costs, for key: Key, _ hash: UInt64, within timeout: Duration?,
    as caller: LimitWaiter.Caller, _ completion: LimitWaiter.Completion? = nil
  ) -> QueueContents.Entrance {
    let limits = limits(key)
    // Usually the key's bucket holds the cost, and no queue is made to find that out.
    if case .bucket(let quota) = limits, case .each(let cost) = costs.kind, cost > 0 {
      var granted: PacingInstant?
      hold { state in
        if !state.isSpecial, state.spend(cost, quota, of: key, state.slot(key, hash)) {
          granted = state.latest
        }
        return nil
      }
      if let granted { return .decided(.granted(granted)) }
    }
    var entrance = QueueContents.Entrance.decided(.refused(.closed))
    change(key, hash, limits, isGrant: true, counts: true) {
      entrance = .decided(.refused(.deadline(neededWait: $0)))
    } _: { contents, queue in
      let entered = contents.enter(
        costs, within: timeout, as: caller, on: service, in: queue, completion)
      if let entered { entrance = entered }
      return entered != nil
    }
    return entrance
  }

  @usableFromInline
  func take(
    _ costs: Costs, for key: Key, _ hash: UInt64, within timeout: Duration?
  ) async throws -> PacingInstant {
    return try await LimitWaiter.take {
      enter(costs, for: key, hash, within: timeout, as: .task)
    }.get()
  }

  func releasePermit(of key: Key) {
    change(key, key.keyHash, .permits(nil), refused: { _ in }) { contents, _ in
      contents.state.releasePermit(.unknown, takenAt: contents.state.latest)
      return true
    }
  }

  /// Takes a cost for a stream, nil at its end: if a full table refuses the key, too.
  func takeNext(_ cost: Int, for key: Key, _ hash: UInt64) async -> PacingInstant? {
    await LimitWaiter.takeNext { enter(Costs(cost), for: key, hash, within: nil, as: .stream) }
  }
}
