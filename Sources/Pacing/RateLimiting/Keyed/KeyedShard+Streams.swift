/// The streams of a key, which wait for room in the table too.
extension KeyedShard {
  /// Takes a cost from a key's bucket for a stream, nil at its end.
  ///
  /// A request displaced from a full queue is repeated, and one that a full table refuses once
  /// there may be room; one that costs more than the burst takes a full bucket.
  func takeNext(
    _ cost: Int, for key: Key, _ quota: @Sendable (Key) -> Quota
  ) async -> PacingInstant? {
    var cost = cost
    while true {
      // The quota may change while it waits.
      switch await take(cost, for: key, quota(key), within: nil, mayAlwaysJoin: true) {
      case .granted(let instant): return instant
      case .refused(let error):
        switch error.kind {
        case .exceedsBurst(_, let burst): cost = burst
        case .queueIsFull: continue
        case .deadline: await expectRoom(for: key)
        case .closed: return nil
        }
      case .withdrawn, .ended: return nil
      }
    }
  }

  /// Waits until there may be room for a key, or until the task is cancelled or the shard closed.
  private func expectRoom(for key: Key) async {
    let sleep = OneShot<SleepEnd>(countedBy: service)
    guard let roomAt = perform({ $0.expectRoom(for: key, sleep) }) else { return }
    try? await service.sleep(until: roomAt, as: sleep)
    perform { $0.forgetNewcomer(sleep) }
  }
}

extension KeyedShard.State {
  /// Notes the sleep of a stream until there may be room for its key.
  ///
  /// - Returns: The instant at which there is room if nothing makes some before, nil if there is
  ///   room already or the shard is closed.
  fileprivate mutating func expectRoom(
    for key: Key, _ sleep: OneShot<SleepEnd>
  ) -> PacingInstant? {
    guard !isClosed, queues[.key(key)] == nil else { return nil }
    let slot = slot(key, key.keyHash)
    guard buckets.isRefused(slot), case .stranger(let roomAt) = slot else { return nil }
    newcomers[ObjectIdentifier(sleep)] = sleep
    noteQueues()
    // Without an entry in the table, a queue must end first.
    return roomAt ?? .distantFuture
  }

  fileprivate mutating func forgetNewcomer(_ sleep: OneShot<SleepEnd>) {
    newcomers[ObjectIdentifier(sleep)] = nil
    newcomers.shrinkIfSparse()
    noteQueues()
  }

  /// Ends the sleeps of all newcomers once the lock is released, because there may be room.
  mutating func admitNewcomers() {
    guard !newcomers.isEmpty else { return }
    admitted += newcomers.values
    newcomers = [:]
    noteQueues()
  }

  /// Takes the sleeps to end outside the lock.
  mutating func takeAdmitted() -> [OneShot<SleepEnd>] {
    defer { admitted = [] }
    return admitted
  }
}
