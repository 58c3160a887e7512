/// A pacer around the state of a keyed tool, whatever its timing.
protocol KeyedPacer: AnyObject, Sendable {
  func send(_ value: AnyValue, key: AnyKey)
  func flush(_ key: AnyKey) -> Bool
  func flush() -> Bool
  func cancel(_ key: AnyKey) -> AnyValue?
  func cancel() -> [AnyKey: AnyValue]
  func finish(_ finish: Finish)
  var isPending: Bool { get }
  func pending(_ key: AnyKey) -> AnyValue?
  var keyCount: Int { get }
  var statistics: DeliveryStatistics { get }
  func observeDrops(_ body: @escaping @Sendable (AnyKeyedValue, DropReason) -> Void)
  func ticks<Shown: Sendable>(
    of transform: @escaping @Sendable (AnyKeyedValue) -> Shown
  ) -> AsyncStream<Shown>
  func waitForDeliveries() async
}

/// The one implementation: a pacer around a `KeyedState`.
final class KeyedPacing<Timing: ValueTiming>: KeyedPacer {
  private let pacer: Pacer<KeyedState<Timing>>

  @inline(__always)
  init(
    _ timing: Timing, limit: KeyLimit, tolerance: Duration, clock: some PacingClock,
    handler: Handler<AnyKeyedValue>?
  ) {
    pacer = Pacer(
      KeyedState(timing, limit: limit), handler: handler?.overlapping(.unlimited),
      tolerance: tolerance, clock: clock)
  }

  deinit {
    pacer.abandon()
  }

  func send(_ value: AnyValue, key: AnyKey) {
    var value = value
    // Outside the lock, `value` is what was displaced.
    if let reason = pacer.update({ $0.send(&value, key: key, at: $1) }) {
      pacer.report(AnyKeyedValue(key: key, value: value), reason)
    }
  }

  func flush(_ key: AnyKey) -> Bool { pacer.update { $0.flush(key, at: $1) } }

  func flush() -> Bool {
    pacer.read(\.parts).reduce(false) { flushed, part in
      pacer.update { $0.flush(part: part, at: $1) } || flushed
    }
  }

  func cancel(_ key: AnyKey) -> AnyValue? {
    let withdrawn = pacer.withdrawAll(where: { $0.key == key }) { state in
      state.cancel(key).map { [$0] } ?? []
    }
    return withdrawn.last?.value
  }

  func cancel() -> [AnyKey: AnyValue] {
    let pending = pacer.read(\.parts).flatMap { part in
      pacer.withdrawAll(where: { _ in false }) { $0.cancelAll(part: part) }
    }
    // And what was decided, be it meanwhile.
    let withdrawn = pacer.withdrawAll(where: nil) { _ in [] } + pending
    return Dictionary(withdrawn.lazy.map { ($0.key, $0.value) }) { $1 }
  }

  func finish(_ finish: Finish) {
    for part in pacer.read(\.parts) {
      let dropped = pacer.update { $0.finish(finish, part: part, at: $1) }
      for output in dropped { pacer.report(output, .finished) }
    }
  }

  var isPending: Bool { pacer.isPending(\.isPending) }

  func pending(_ key: AnyKey) -> AnyValue? {
    pacer.read { state, decided in
      let pending = state.pending(key)
      guard pending == nil, state.isDecided(key) else { return pending }
      return decided.first { $0.value.key == key }?.value.value
    }
  }

  var keyCount: Int { pacer.read(\.keyCount) }

  var statistics: DeliveryStatistics {
    pacer.read { state, decided in
      var statistics = state.statistics
      statistics.pending += decided.count
      return statistics
    }
  }

  func observeDrops(_ body: @escaping @Sendable (AnyKeyedValue, DropReason) -> Void) {
    pacer.observeDrops(body)
  }

  func ticks<Shown: Sendable>(
    of transform: @escaping @Sendable (AnyKeyedValue) -> Shown
  ) -> AsyncStream<Shown> {
    pacer.ticks(of: transform)
  }

  func waitForDeliveries() async { await pacer.waitForDeliveries() }
}
