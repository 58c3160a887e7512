import Synchronization

/// Keys with waiters or a pause.
extension KeyedShard.State {
  typealias Bucket = KeyedShard.Bucket
  typealias QueueIndex = Dictionary<Owner, KeyedShard.KeyQueue>.Index

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
    guard let index = review(owner, quota) else { return nil }
    let result = body(&queues.values[index].bucket, buckets.latest, &decided)
    settle(owner, at: index)
    return result
  }

  /// Serves the waiters of a queue that are due, and applies a changed quota.
  ///
  /// - Returns: The queue's index, nil if there is none.
  mutating func review(_ owner: Owner, _ quota: Quota) -> QueueIndex? {
    guard let index = queues.index(forKey: owner) else { return nil }
    let now = buckets.latest
    queues.values[index].bucket.review(at: now, telling: &decided)
    // The shared bucket keeps the quota of the first that waits: waiters of others fit into it.
    if queues.values[index].quota != quota, owner != .shared {
      queues.values[index].quota = quota
      queues.values[index].bucket.reconfigure(
        rate: quota.rate, burst: quota.burst, inheriting: .spent, at: now)
      queues.values[index].bucket.review(at: now, telling: &decided)
    }
    countWaiters(at: index)
    return index
  }

  /// Updates the counts to the waiters that a queue has.
  private mutating func countWaiters(at index: QueueIndex) {
    let count = queues.values[index].bucket.waitingCount
    let bound = queues.values[index].bucket.waiters.boundCount
    waiting += count - queues.values[index].counted
    total.add(bound - queues.values[index].bound)
    queues.values[index].counted = count
    queues.values[index].bound = bound
  }

  /// Counts a waiter that is about to join, if there is a place for it.
  mutating func takePlace(at index: QueueIndex) -> Bool {
    guard total.addWithinBound() else { return false }
    queues.values[index].counted += 1
    queues.values[index].bound += 1
    waiting += 1
    return true
  }

  /// Makes a queue for a bucket, with its level in the table or that of the shared bucket.
  mutating func beginQueue(of owner: Owner, _ quota: Quota, _ slot: Slot, policy: QueuePolicy) {
    let bucket = Bucket(
      level: buckets.bucket(quota, slot), queue: policy, firstNumber: firstNumber,
      at: buckets.latest)
    if case .known(let entry) = slot { remove(entry) }
    queues[owner] = KeyedShard.KeyQueue(bucket: bucket, quota: quota)
    noteQueues()
    if owner != .shared { queuedKeys += 1 }
  }

  /// Serves the waiters of a queue after a change, and sets its wake-up; a bucket whose level alone
  /// decides moves back into the table.
  mutating func settle(
    _ owner: Owner, at index: QueueIndex
  ) {
    let now = buckets.latest
    queues.values[index].bucket.review(at: now, telling: &decided)
    countWaiters(at: index)
    statistics.add(queues.values[index].bucket.statistics)
    queues.values[index].bucket.statistics = LimitStatistics()
    queues.values[index].bucket.endPause(at: now)
    guard !queues.values[index].bucket.isPlain else {
      cancelWake(at: index)
      let (old, queue) = queues.remove(at: index)
      queues.shrinkIfSparse()
      noteQueues()
      return endQueue(of: old, queue)
    }
    let deadline = queues.values[index].bucket.nextChange
    guard deadline != queues.values[index].deadline else { return }
    cancelWake(at: index)
    queues.values[index].deadline = deadline
    queues.values[index].wake =
      deadline == .distantFuture ? nil : wakes.schedule(queues.keys[index], at: deadline)
  }

  /// Notes whether a call must look for queues, or for newcomers to let in.
  mutating func noteQueues() {
    hasQueues = !queues.isEmpty || !newcomers.isEmpty
  }

  /// Keeps the level of a bucket that has no queue any more.
  private mutating func endQueue(of owner: Owner, _ queue: KeyedShard.KeyQueue) {
    // A place in this queue must not name a waiter of a later one.
    firstNumber = max(firstNumber, queue.bucket.waiters.nextNumber)
    let stamp = queue.bucket.level.stamp
    guard case .key(let key) = owner else { return buckets.share(stamp) }
    queuedKeys -= 1
    if stamp.isFull(at: buckets.latest) {
      drop(key)
    } else {
      insert(key, stamp, queue.quota, hash: key.keyHash, sparing: [])
    }
    admitNewcomers()
  }

  private mutating func cancelWake(at index: QueueIndex) {
    if let wake = queues.values[index].wake { _ = wakes.cancel(wake) }
    queues.values[index].wake = nil
  }

  /// Serves the queues that are due.
  mutating func wake() {
    while let (_, owner) = wakes.popDue(at: buckets.latest) {
      guard let quota = queues[owner]?.quota else { continue }
      queues[owner]?.wake = nil
      queues[owner]?.deadline = .distantFuture
      withQueue(of: owner, quota) { _, _, _ in }
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
    var (_, duties) = decide { state in
      state.timer.fired(handle)
      state.wake()
    }
    duties.handOver(to: service)
    fulfil(duties)
  }

  /// Runs `body` under the lock, sets the timer for the next key, and delivers what was decided.
  func perform<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, duties) = decide(body)
    fulfil(duties)
    return result
  }

  /// The work left for after the lock is released.
  struct Duties: Sendable {
    private(set) var dropped: ContiguousArray<Key>?
    let admitted: [OneShot<SleepEnd>]
    let mustArm: Bool
    let mustTell: Bool

    /// Has the dropped keys, whose deinit is the user's code, released on the library's threads.
    fileprivate mutating func handOver(to service: TimerService) {
      guard !_isPOD(Key.self), dropped != nil else { return }
      let release = DeferredCalls([WorkItem { [dropped] in withExtendedLifetime(dropped) {} }])
      dropped = nil
      service.perform { release.make() }
    }
  }

  /// Runs `body` under the lock, and returns the work left for after it.
  func decide<Result: Sendable>(_ body: (inout State) -> Result) -> (Result, Duties) {
    state.withLock { state in
      state.buckets.advance(to: service.now)
      let result = body(&state)
      let wake = state.wakes.earliest
      earliest.store(wake.nanoseconds, ordering: .relaxed)
      let mustArm = state.timer.set(wake, tolerance: 0, for: self, in: service)
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
