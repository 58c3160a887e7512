/// Keys with waiters or a pause.
extension KeyedShard.State {
  typealias Bucket = KeyedShard.Bucket

  /// The owner of the queue in which a caller for a key would wait, nil if there is none yet.
  mutating func owner(of key: Key) -> Owner? {
    guard hasQueues else { return nil }
    if queues[.key(key)] != nil { return .key(key) }
    guard queues[.shared] != nil, slot(key, key.keyHash).isStranger else { return nil }
    return .shared
  }

  /// Queries or changes a bucket with a queue, nil if there is none.
  @discardableResult
  mutating func withQueue<Result>(
    of owner: Owner, _ quota: Quota,
    _ body: (inout Bucket, PacingInstant, inout DecidedRequests<Turn.Request>) -> Result
  ) -> Result? {
    guard let index = queues.index(forKey: owner) else { return nil }
    let now = buckets.latest
    let before = queues.values[index].bucket.waitingCount
    queues.values[index].bucket.review(at: now, telling: &decided)
    // The shared bucket keeps the quota of the first that waits: waiters of others fit into it.
    if queues.values[index].quota != quota, owner != .shared {
      queues.values[index].quota = quota
      queues.values[index].bucket.reconfigure(
        rate: quota.rate, burst: quota.burst, inheriting: .keep, at: now)
    }
    let result = body(&queues.values[index].bucket, now, &decided)
    queues.values[index].bucket.review(at: now, telling: &decided)
    waiting += queues.values[index].bucket.waitingCount - before
    settle(owner, at: index)
    return result
  }

  /// Makes a queue for a bucket, with its level in the table or that of the shared bucket.
  mutating func beginQueue(of owner: Owner, _ quota: Quota, _ slot: Slot, policy: QueuePolicy) {
    // A place in an earlier queue of the key must not name a waiter of this one.
    queueCount += 1
    let bucket = Bucket(
      level: buckets.bucket(quota, slot), queue: policy, firstNumber: queueCount << 24,
      at: buckets.latest)
    if case .known(let entry) = slot { remove(entry) }
    queues[owner] = KeyedShard.KeyQueue(bucket: bucket, quota: quota)
    hasQueues = true
    if owner != .shared { queuedKeys += 1 }
  }

  /// Sets a queue's wake-up, or moves its bucket back into the table if its level alone decides.
  private mutating func settle(
    _ owner: Owner, at index: Dictionary<Owner, KeyedShard.KeyQueue>.Index
  ) {
    let now = buckets.latest
    statistics.add(queues.values[index].bucket.statistics)
    queues.values[index].bucket.statistics = LimitStatistics()
    queues.values[index].bucket.endPause(at: now)
    guard !queues.values[index].bucket.isPlain else {
      cancelWake(at: index)
      let (old, queue) = queues.remove(at: index)
      hasQueues = !queues.isEmpty
      return endQueue(of: old, queue.bucket.level.stamp)
    }
    let deadline = queues.values[index].bucket.nextChange
    guard deadline != queues.values[index].deadline else { return }
    cancelWake(at: index)
    queues.values[index].deadline = deadline
    queues.values[index].wake =
      deadline == .distantFuture ? nil : wakes.schedule(owner, at: deadline)
  }

  /// Keeps the level of a bucket that has no queue any more.
  private mutating func endQueue(of owner: Owner, _ stamp: KeyStamp) {
    guard case .key(let key) = owner else { return buckets.share(stamp) }
    queuedKeys -= 1
    if stamp.isFull(at: buckets.latest) {
      drop(key)
    } else {
      insert(key, stamp, hash: key.keyHash, sparing: [])
    }
    admitNewcomers()
  }

  private mutating func cancelWake(at index: Dictionary<Owner, KeyedShard.KeyQueue>.Index) {
    if let wake = queues.values[index].wake, let old = wakes.cancel(wake) { drop(old) }
    queues.values[index].wake = nil
  }

  /// Serves the queues that are due.
  mutating func wake() {
    while let (_, owner) = wakes.popDue(at: buckets.latest) {
      guard let quota = queues[owner]?.quota else { continue }
      queues[owner]?.wake = nil
      queues[owner]?.deadline = .distantFuture
      withQueue(of: owner, quota) { _, _, _ in }
      drop(owner)
    }
  }
}

extension BucketState {
  /// The instant of the next grant or of the end of a pause.
  fileprivate var nextChange: PacingInstant {
    waiters.isEmpty ? pausedUntil ?? .distantFuture : deadline
  }

  /// Ends a pause that is over.
  fileprivate mutating func endPause(at now: PacingInstant) {
    if waiters.isEmpty, let end = pausedUntil, end <= now { resume(at: now) }
  }
}

extension KeyedShard: TimerTarget {
  func wake(_ handle: TimerService.Handle) {
    perform { state in
      state.timer.fired(handle)
      state.wake()
    }
  }

  /// Runs `body` under the lock, sets the timer for the next key, and delivers what was decided.
  func perform<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, duties) = decide(body)
    fulfil(duties)
    return result
  }

  /// The work left for after the lock is released.
  struct Duties: Sendable {
    let dropped: ContiguousArray<Key>?
    let admitted: [OneShot<SleepEnd>]
    let mustArm: Bool
    let mustTell: Bool
  }

  /// Runs `body` under the lock, and returns the work left for after it.
  func decide<Result: Sendable>(_ body: (inout State) -> Result) -> (Result, Duties) {
    state.withLock { state in
      state.buckets.advance(to: service.now)
      let before = state.waiting
      let result = body(&state)
      waiting.add(state.waiting - before)
      let mustArm = state.timer.set(state.wakes.earliest, tolerance: 0, for: self, in: service)
      return (
        result,
        Duties(
          dropped: state.takeDropped(), admitted: state.takeAdmitted(), mustArm: mustArm,
          mustTell: state.decided.mustTell())
      )
    }
  }

  func fulfil(_ duties: Duties) {
    withExtendedLifetime(duties.dropped) {}
    for sleep in duties.admitted { sleep.resolve(.cancelled) }
    if duties.mustArm { service.arm() }
    if duties.mustTell { DecidedRequests.tell { take in state.withLock { take(&$0.decided) } } }
  }
}
