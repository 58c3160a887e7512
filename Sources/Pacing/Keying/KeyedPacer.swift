/// A pacer around the state of a keyed tool, whatever its timing.
protocol KeyedPacer<Key, Value>: AnyObject, Sendable {
  associatedtype Key: Hashable & Sendable
  associatedtype Value: Sendable

  func send(_ value: Value, key: Key)
  func flush(_ key: Key) -> Bool
  func flush() -> Bool
  func cancel(_ key: Key) -> Value?
  func cancel() -> [Key: Value]
  func finish(_ finish: Finish)
  var isPending: Bool { get }
  func pending(_ key: Key) -> Value?
  var keyCount: Int { get }
  var statistics: DeliveryStatistics { get }
  func observeDrops(_ body: @escaping @Sendable (KeyedValue<Key, Value>, DropReason) -> Void)
  func ticks() -> AsyncStream<KeyedValue<Key, Value>>
  func waitForDeliveries() async
}

/// The one implementation: a pacer around a `KeyedState`.
final class KeyedPacing<Key: Hashable & Sendable, Timing: ValueTiming, Value: Sendable>: KeyedPacer
{
  private let pacer: Pacer<KeyedState<Key, Timing, Value>>

  init(
    _ timing: Timing, limit: KeyLimit, tolerance: Duration, clock: some PacingClock,
    handler: Handler<KeyedValue<Key, Value>>?
  ) {
    pacer = Pacer(
      KeyedState(timing, limit: limit), handler: handler?.overlapping(.unlimited),
      tolerance: tolerance, clock: clock)
  }

  deinit {
    pacer.abandon()
  }

  func send(_ value: Value, key: Key) {
    var value = value
    // Outside the lock, `value` is what was displaced.
    if let reason = pacer.update({ $0.send(&value, key: key, at: $1) }) {
      pacer.report(KeyedValue(key: key, value: value), reason)
    }
  }

  func flush(_ key: Key) -> Bool { pacer.update { $0.flush(key, at: $1) } }

  func flush() -> Bool {
    // One part at a time, so that nobody waits long for the lock.
    KeyTable<Key, Void>.parts.reduce(false) { flushed, part in
      pacer.update { $0.flush(part: part, at: $1) } || flushed
    }
  }

  func cancel(_ key: Key) -> Value? {
    let withdrawn = pacer.withdrawAll(where: { $0.key == key }) { state in
      state.cancel(key).map { [$0] } ?? []
    }
    return withdrawn.last?.value
  }

  func cancel() -> [Key: Value] {
    Dictionary(pacer.withdrawAll().lazy.map { ($0.key, $0.value) }) { $1 }
  }

  func finish(_ finish: Finish) {
    for dropped in pacer.update({ $0.finish(finish, at: $1) }) { pacer.report(dropped, .finished) }
  }

  var isPending: Bool { pacer.isPending(\.isPending) }

  func pending(_ key: Key) -> Value? {
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

  func observeDrops(_ body: @escaping @Sendable (KeyedValue<Key, Value>, DropReason) -> Void) {
    pacer.observeDrops(body)
  }

  func ticks() -> AsyncStream<KeyedValue<Key, Value>> { pacer.ticks() }

  func waitForDeliveries() async { await pacer.waitForDeliveries() }
}
