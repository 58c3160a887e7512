/// A pacer around the state of a keyed tool, with any timing.
protocol KeyedPacer: PacerOwner where State.Output == AnyKeyedValue {
  func flush(_ key: AnyKey) -> Bool
  func flush() -> Bool
  func cancel(_ key: AnyKey) -> AnyValue?
  func cancel() -> [AnyKey: AnyValue]
  func finish(_ finish: Finish)
  var isPending: Bool { get }
  func pending(_ key: AnyKey) -> AnyValue?
  func timeRemaining(_ key: AnyKey) -> Duration?
  var keyCount: Int { get }
  var keyCapacity: Int { get }
  var statistics: DeliveryStatistics { get }
}

/// The only implementation: a pacer around a `KeyedState`, and the user's rules.
final class KeyedPacing<Timing: ValueTiming>: KeyedPacer {
  let pacer: Pacer<KeyedState<Timing>>
  private let rules: KeyedRules

  @inline(__always)
  init(
    _ timing: Timing, rules: KeyedRules, keyLimit: KeyLimit, tolerance: Duration,
    clock: any PacingClock, handler: Handler<AnyKeyedValue>?
  ) {
    self.rules = rules
    pacer = Pacer(
      KeyedState(
        timing, keepingFirst: rules.keep.keepsFirst, keyLimit: keyLimit,
        isLazy: clock.service.isLazy),
      handler: handler?.overlapping(.unlimited), tolerance: tolerance, clock: clock)
  }

  deinit {
    pacer.abandon()
  }

  /// Takes a value; afterwards `value` is the displaced one, which the caller releases outside the
  /// lock.
  func send(_ value: inout AnyValue, key: AnyKey, waiting wait: Nanoseconds? = nil) {
    let wait = wait ?? rules.wait(for: value, key)
    if let reduce = rules.keep.reduce {
      return send(&value, key: key, waiting: wait, reducing: reduce)
    }
    let result = pacer.update { $0.send(&value, key: key, waiting: wait, at: $1) }
    report(value, key: key, result)
  }

  private func send(
    _ value: inout AnyValue, key: AnyKey, waiting wait: Nanoseconds?,
    reducing reduce: (AnyValue, AnyValue) -> AnyValue
  ) {
    let result = pacer.send(&value, reducing: reduce) { state, reduced in
      state.reduction(of: key, besides: reduced)
    } send: { state, value, reduced, now in
      state.send(&value, key: key, reduced: reduced, waiting: wait, at: now)
    }
    report(value, key: key, result)
  }

  private func report(_ value: AnyValue, key: AnyKey, _ result: SendResult) {
    guard let reason = result.dropReason else { return }
    pacer.report(AnyKeyedValue(key: key, value: value), reason)
  }

  func flush(_ key: AnyKey) -> Bool { pacer.update { $0.flush(key, at: $1) } }

  func flush() -> Bool {
    var hadAny = false
    pacer.forEachPart { part in
      if pacer.update({ $0.flush(part: part, at: $1) }) { hadAny = true }
    }
    pacer.decideAll()
    return hadAny
  }

  func cancel(_ key: AnyKey) -> AnyValue? { withdraw(key) { $0.cancel() } }

  func cancel() -> [AnyKey: AnyValue] { withdrawAll { $0.cancel() } }

  /// Withdraws what has not begun for a key, with one of the timing's own verbs.
  ///
  /// - Returns: The newest value withdrawn; nil if there was none.
  func withdraw(_ key: AnyKey, _ drop: (inout Timing) -> Void) -> AnyValue? {
    let withdrawn = pacer.withdrawAll(where: { $0.key == key }) { state in
      state.withdraw(key, drop).map { [$0] } ?? []
    }
    return withdrawn.last?.value
  }

  /// Withdraws what has not begun for all keys, with one of the timing's own verbs.
  ///
  /// - Returns: The newest value withdrawn of each key that had one.
  func withdrawAll(_ drop: (inout Timing) -> Void) -> [AnyKey: AnyValue] {
    var pending = [AnyKeyedValue]()
    pacer.forEachPart { part in
      pending += pacer.withdrawAll(where: { _ in false }) { $0.withdraw(part: part, drop) }
    }
    // Also what was decided, including in the meantime.
    let withdrawn = pacer.withdrawAll(where: nil) { _ in [] } + pending
    return Dictionary(withdrawn.lazy.map { ($0.key, $0.value) }) { $1 }
  }

  func finish(_ finish: Finish) {
    // Before the keys are counted: none comes after it.
    pacer.update { state, _ in state.takeNoMore() }
    pacer.forEachPart { part in
      let dropped = pacer.update { $0.finish(finish, part: part, at: $1) }
      for output in dropped { pacer.report(output, .finished) }
    }
    pacer.decideAll()
  }

  var isPending: Bool { pacer.isPending { $0.isPending } }

  func pending(_ key: AnyKey) -> AnyValue? {
    pacer.read { state, decided in
      let pending = state.pending(key)
      guard pending == nil, state.isDecided(key) else { return pending }
      return decided.first { $0.output.key == key }?.output.value
    }
  }

  func timeRemaining(_ key: AnyKey) -> Duration? {
    pacer.read { $0.deadline(of: key) }.wait(from: pacer.service.now)
  }

  var keyCount: Int { pacer.read { $0.keyCount } }

  var keyCapacity: Int { pacer.read { $0.keyCapacity } }

  var statistics: DeliveryStatistics {
    pacer.read { state, decided in
      var statistics = state.statistics
      statistics.pending += decided.count
      return statistics
    }
  }
}
