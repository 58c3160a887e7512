final class KeyedPacer: Pacer<KeyedState>, ToolPacer, @unchecked Sendable {
  private let rules: Rules<KeyedInput>?

  struct KeyedInput: Sendable {
    let key: AnyKey
    let value: AnyValue
  }

  init<Key: Hashable & Sendable, Value: Sendable>(
    _ settings: ValueSettings, keeping keep: Keep<Value> = .latest,
    varying wait: (@Sendable (Key, Value) -> Duration?)? = nil, maximumKeys: Int?,
    whenFull: WhenFull, tolerance: Duration, service: TimerService
  ) {
    ConfigurationError.require(
      maximumKeys ?? 1 > 0, "maximumKeys", maximumKeys ?? 1, must: "be positive")
    rules = Rules(
      wait: wait.map { wait in
        { @Sendable (input: KeyedInput) in wait(input.key.get(), input.value.get()) }
      }, keep: keep)
    super.init(
      KeyedState(
        settings, keepsFirst: keep.keepsFirst, maximumKeys: maximumKeys, whenFull: whenFull,
        isLazy: service.isLazy),
      tolerance: tolerance, service: service)
  }

  var pacer: Pacer<KeyedState> { self }

  override func wake(_ handle: TimerService.Handle) { super.wake(handle) }
  override func deliver() { super.deliver() }
  override func start(_ run: HandlerRun) -> Started? { super.start(run) }

  func send(_ value: inout AnyValue, for key: AnyKey, waiting wait: Nanoseconds? = nil) {
    let wait = wait ?? rules?.wait(of: KeyedInput(key: key, value: value))
    func dropped() -> KeyedOutput { KeyedOutput(slot: KeySlot(key: key, number: 0), value: value) }
    guard let reduce = rules?.reduce else {
      let now = enter()
      let result = queue.state.send(&value, for: key, waiting: wait, at: now)
      if case .dropped(let reason) = result { queue.report(dropped(), reason) }
      return leave(at: now)
    }
    let result = send(&value, reducing: reduce) {
      $0.slot(of: key)?.pending
    } send: { state, value, now in
      state.send(&value, for: key, waiting: wait, at: now)
    }
    if case .dropped(let reason) = result { report(dropped(), reason) }
  }

  func flush(_ key: AnyKey) -> Bool { update { $0.flush(key, at: $1) } }

  /// Withdraws what has not begun for a key, by a verb of the timing; returns the newest value.
  func withdraw(
    _ key: AnyKey, _ drop: (inout ValueTiming, ValueSettings) -> Void
  ) -> AnyValue? {
    withdrawAll(where: { $0.slot.key == key }) { state in
      let settings = state.settings
      return state.withdraw(key) { drop(&$0, settings) }
    }.last?.value
  }

  /// The same for all keys; the newest value of a key comes last.
  func withdrawAll(_ drop: (inout ValueTiming, ValueSettings) -> Void) -> [KeyedOutput] {
    withdrawAll(where: { _ in true }) { state in
      let settings = state.settings
      return state.withdrawAll { drop(&$0, settings) }
    }
  }

  /// The values that will still be delivered; the newest of a key comes last.
  var pending: [KeyedOutput] { read { $0.undelivered + $0.state.pending } }

  func pending(_ key: AnyKey) -> AnyValue? {
    read { queue in
      guard let slot = queue.state.slot(of: key) else { return nil }
      guard slot.held.value == nil, slot.phase == .decided else { return slot.held.value }
      return queue.undelivered.first { $0.slot === slot }?.value
    }
  }

  func timeRemaining(_ key: AnyKey) -> Duration? {
    read { $0.state.slot(of: key)?.held.timing.deadline ?? .distantFuture }.wait(from: service.now)
  }
}
