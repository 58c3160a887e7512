extension BucketState {
  /// The bucket without its waiters, relative to the latest instant; `wallOffset` is the wall time
  /// at the clock's origin.
  package mutating func snapshot(
    wallOffset: Nanoseconds, at now: PacingInstant
  ) -> BucketSnapshot {
    let now = advance(to: now)
    let scale = level.scale
    return BucketSnapshot(
      rate: scale.rate, burst: scale.burst,
      wallTime: latest.nanoseconds.adding(wallOffset), fineness: scale.fineness,
      overdraft: scale.overdraft,
      steps: scale.grid.map { .init(period: $0.period, next: $0.first(from: latest) - latest) },
      debt: .init(count: level.debt(at: now)),
      pause: pausedUntil.map { latest.nanoseconds(until: $0) }.flatMap { $0 > 0 ? $0 : nil },
      pins: (0..<pins.count).map { index in
        let pin = pins[index]
        return .init(
          tokens: pin.tokens, at: .init(count: pin.at.adding(-now)),
          limit: .init(count: max(pin.at, pin.limit).adding(-now)))
      })
  }

  /// Continues a bucket; `wallOffset` is the wall time at the clock's origin, and a wall clock that
  /// went back counts as no time.
  package init(
    resuming snapshot: BucketSnapshot, queue: QueuePolicy = .unlimited, wallOffset: Nanoseconds,
    at now: PacingInstant
  ) {
    let elapsed = Int128(now.nanoseconds) + Int128(wallOffset) - Int128(snapshot.wallTime)
    let start = now - Nanoseconds(clamping: max(0, elapsed))
    let scale = BucketScale(
      rate: snapshot.rate, burst: snapshot.burst,
      grid: snapshot.steps.map { Grid(period: $0.period, origin: start + $0.next) },
      overdraft: snapshot.overdraft, fineness: snapshot.fineness)
    let time = scale.time(start)
    self.init(
      level: BucketLevel(scale: scale, fullAt: time.adding(snapshot.debt.count)), queue: queue,
      at: start)
    pausedUntil = snapshot.pause.map { $0 == .never ? .distantFuture : start + $0 }
    pins = PinnedSpends(
      snapshot.pins.enumerated().map { index, pin in
        PinnedSpends.Pin(
          number: PinnedSpends.Number(index), tokens: pin.tokens, cost: scale.units(pin.tokens),
          at: time.adding(pin.at.count), limit: time.adding(pin.limit.count), isOpen: false)
      })
    nextNumber = PinnedSpends.Number(pins.count)
    _ = advance(to: now)
  }
}
