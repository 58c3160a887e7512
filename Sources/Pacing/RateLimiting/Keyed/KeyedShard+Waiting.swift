import Synchronization

/// The ways to wait for a key.
extension KeyedShard {
  /// A waiter's place.
  struct Place: Sendable {
    let owner: Owner
    let place: Bucket.Place
  }

  /// How a caller enters a queue.
  enum Entry: Sendable {
    /// It was decided immediately.
    case decided(Turn.Outcome)
    /// It waits in a place.
    case waiting(Place)
  }

  /// Grants a request, refuses it, or puts it in the queue of the key or of the shared bucket.
  func enter(
    _ cost: Int, for key: Key, _ quota: Quota, within timeout: Nanoseconds?,
    mayAlwaysJoin: Bool = false, _ request: () -> Turn.Request
  ) -> Entry {
    ConfigurationError.requireCost(cost)
    return perform { state in
      guard !state.isClosed else {
        state.statistics.note(false, cost)
        return .decided(.refused(.closed))
      }
      state.wake()
      if state.owner(of: key) == nil,
        let outcome = state.decide(
          cost, for: key, quota, isStream: mayAlwaysJoin, policy: policy)
      {
        return .decided(outcome)
      }
      guard let owner = state.owner(of: key) else { return .decided(.ended) }
      switch state.enter(
        cost, in: owner, quota, within: timeout, mayAlwaysJoin: mayAlwaysJoin, request)
      {
      case .waiting(let place): return .waiting(Place(owner: owner, place: place))
      case .decided(let outcome): return .decided(outcome)
      }
    }
  }

  /// Serves the waiters that are due, without the lock if there are none.
  func serve(at now: PacingInstant) {
    if earliest.load(ordering: .relaxed) <= now.nanoseconds { perform { $0.wake() } }
  }

  /// Removes a request from its queue; false if it was already decided.
  func withdraw(_ place: Place) -> Bool {
    let request = perform { $0.leave(place) }
    request?(.withdrawn)
    return request != nil
  }

  /// Takes tokens from a key's bucket, or waits for them until the task is cancelled.
  func take(
    _ cost: Int, for key: Key, _ quota: Quota, within timeout: Nanoseconds?,
    mayAlwaysJoin: Bool = false
  ) async -> Turn.Outcome {
    guard !Task.isCancelled else { return .withdrawn }
    let turn = OneShot<Turn.Outcome>(countedBy: service)
    let entry = enter(cost, for: key, quota, within: timeout, mayAlwaysJoin: mayAlwaysJoin) {
      { turn.resolve($0) }
    }
    switch entry {
    case .decided(let outcome): return outcome
    case .waiting(let place):
      return await withTaskCancellationHandler {
        await turn.outcome()
      } onCancel: {
        _ = withdraw(place)
      }
    }
  }

  /// Closes the shard: waiters are told `outcome`, and later callers are refused.
  ///
  /// Pauses end, so no queue is left, and no timer.
  func close(_ outcome: Turn.Outcome) {
    perform { state in
      state.isClosed = true
      state.admitNewcomers()
      for owner in Array(state.queues.keys) {
        guard let quota = state.queues[owner]?.quota else { continue }
        state.withQueue(of: owner, quota) { bucket, now, decided in
          bucket.close(outcome, at: now, telling: &decided)
          // The shard is closed in its place.
          bucket.isClosed = false
          bucket.resume(at: now)
        }
      }
    }
  }
}

extension KeyedShard.State {
  /// The outcome for a caller without a queue; nil if it may wait, after a queue was made.
  fileprivate mutating func decide(
    _ cost: Int, for key: Key, _ quota: Quota, isStream: Bool, policy: QueuePolicy
  ) -> Turn.Outcome? {
    guard cost > 0 else {
      statistics.note(true, cost)
      return .granted(buckets.latest)
    }
    let hash = key.keyHash
    let slot = slot(key, hash, quota)
    let bucket = buckets.bucket(quota, slot)
    if buckets.holds(cost, bucket, slot) {
      charge(cost, to: bucket, of: key, quota, slot, hash: hash)
      statistics.note(true, cost)
      return .granted(buckets.latest)
    }
    if cost > bucket.capacity {
      // A stream asks again for what there can be.
      if !isStream { statistics.note(false, cost) }
      return .refused(.exceedsBurst(cost: cost, burst: bucket.capacity))
    }
    if buckets.isRefused(slot) {
      // A stream is not told: it waits for room.
      if !isStream { statistics.note(false, cost) }
      let wait = buckets.decision(cost, quota, slot).retryAfter
      return .refused(.deadline(neededWait: wait ?? Duration(nanoseconds: .never)))
    }
    beginQueue(of: slot.isStranger ? .shared : .key(key), quota, slot, policy: policy)
    return nil
  }

  /// As the queue's own `enter`, within the bound of all queues together.
  fileprivate mutating func enter(
    _ cost: Int, in owner: Owner, _ quota: Quota, within timeout: Nanoseconds?,
    mayAlwaysJoin: Bool, _ request: () -> Turn.Request
  ) -> Entrance<Turn.Request> {
    guard let index = review(owner, quota) else { return .decided(.ended) }
    defer { settle(owner, at: index) }
    var mayJoin = mayAlwaysJoin
    if !mayJoin, !total.isFull {
      // One that is decided immediately takes no place from a caller of another shard.
      switch queues.values[index].bucket.admit(
        cost, within: timeout, mayAlwaysJoin: true, at: buckets.latest)
      {
      case .granted: return .decided(.granted(buckets.latest))
      case .refused(let error): return .decided(.refused(error))
      case .mustWait: mayJoin = takePlace(at: index)
      }
    }
    queues.values[index].bucket.waiters.isCrowded = !mayJoin
    defer { queues.values[index].bucket.waiters.isCrowded = false }
    return queues.values[index].bucket.enter(
      cost, within: timeout, mayAlwaysJoin: mayJoin, isStream: mayAlwaysJoin, at: buckets.latest,
      telling: &decided, request)
  }

  fileprivate mutating func leave(_ place: KeyedShard.Place) -> Turn.Request? {
    guard let index = queues.index(forKey: place.owner) else { return nil }
    // The waiter leaves before any other is served.
    let now = buckets.latest
    let request = queues.values[index].bucket.leave(place.place, at: now, telling: &decided)
    withQueue(of: place.owner, queues.values[index].quota) { _, _, _ in }
    return request
  }
}
