extension TokenBucket {
  /// The bucket's settings and level at this time, to continue it in a later run of the program.
  ///
  /// Waiters that are due are served first; the others are not part of it.
  ///
  /// - Complexity: O(n) in the number of pending reservations.
  public func snapshot() -> BucketSnapshot {
    let wallOffset = queue.service.wallOffset(known: nil)
    return queue.update { $0.snapshot(wallOffset: wallOffset, at: $1) }
  }

  /// Makes a bucket that continues from a snapshot, as if it had existed all the time.
  ///
  /// The time that has passed is read from the wall clock, and is only as true as that clock: time
  /// by which it was set forward refills the bucket, and a wall clock that is before the snapshot
  /// counts as no time. Change settings with `reconfigure(rate:burst:inheriting:)` afterwards.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot of an earlier bucket.
  ///   - queue: The bound and the order of the waiters.
  ///   - clock: The clock to follow.
  public convenience init(
    resuming snapshot: BucketSnapshot, queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch
  ) {
    let service = clock.service
    self.init(
      queue: LimitQueue(service: service) { now in
        BucketState(
          resuming: snapshot, queue: queue, wallOffset: service.wallOffset(known: nil), at: now)
      })
  }
}
