/// A pacer with the verbs common to the tools that take values.
///
/// A concrete class conforms for each state, so the compiler specialises the verbs for it.
protocol ToolPacer: AnyObject, Sendable {
  associatedtype State: ToolState

  var pacer: Pacer<State> { get }

  func flush() -> Bool
  func flushAndWait() async -> Bool
  func finish(_ finish: Finish?)
  var isSuspended: Bool { get set }
  var isPending: Bool { get }
  var timeRemaining: Duration? { get }
  var statistics: DeliveryStatistics { get }
}

extension ToolPacer {
  func flush() -> Bool { pacer.update { $0.flush(at: $1) } }

  func flushAndWait() async -> Bool { await pacer.waitForHandler { $0.flush(at: $1) } }

  func finish(_ finish: Finish?) {
    for output in pacer.update({ $0.finish(finish, at: $1) }) { pacer.report(output, .finished) }
  }

  var isSuspended: Bool {
    get { pacer.read { $0.state.isSuspended } }
    set { pacer.update { state, _ in state.isSuspended = newValue } }
  }

  var isPending: Bool { pacer.read { $0.hasUndelivered || $0.state.isPending } }

  var timeRemaining: Duration? { pacer.read { $0.state.nextDue }.wait(from: pacer.service.now) }

  var statistics: DeliveryStatistics {
    pacer.read { $0.state.statistics(undelivered: $0.undelivered) }
  }
}

/// The shell of a debouncer, throttler, auditor or sampler.
final class ValuePacer: Pacer<ValueState>, ToolPacer, @unchecked Sendable {
  private let rules: Rules<AnyValue>?

  init<Value>(
    _ settings: ValueSettings, keeping keep: Keep<Value> = .latest,
    varying wait: (@Sendable (Value) -> Duration?)? = nil, tolerance: Duration,
    service: TimerService
  ) {
    rules = Rules(
      wait: wait.map { wait in { @Sendable (value: AnyValue) in wait(value.get()) } }, keep: keep)
    super.init(
      ValueState(settings, keepsFirst: keep.keepsFirst), tolerance: tolerance, service: service)
  }

  var pacer: Pacer<ValueState> { self }

  override func wake(_ handle: TimerService.Handle) { super.wake(handle) }
  override func deliver() { super.deliver() }
  override func start(_ run: HandlerRun) -> Started? { super.start(run) }

  /// Takes a value; afterwards `value` is the one that will not be delivered because of it.
  @inline(__always)
  @discardableResult
  func send(_ value: inout AnyValue, waiting wait: Nanoseconds? = nil) -> SendResult {
    if rules != nil { return sendByRules(&value, waiting: wait) }
    let now = enter()
    let result = queue.state.send(&value, waiting: wait, at: now)
    if case .dropped(let reason) = result { queue.report(value, reason) }
    leave(at: now)
    return result
  }

  @inline(never)
  private func sendByRules(_ value: inout AnyValue, waiting wait: Nanoseconds?) -> SendResult {
    let (wait, reduce) = (wait ?? rules?.wait(of: value), rules?.reduce)
    let result = send(&value, reducing: reduce ?? { $1 }) {
      reduce == nil ? nil : $0.pending
    } send: { state, value, now in
      state.send(&value, waiting: wait, at: now)
    }
    if case .dropped(let reason) = result { report(value, reason) }
    return result
  }

  func cancel() -> AnyValue? { withdraw { $0.cancel() } }
  func reset() -> AnyValue? { withdraw { $0.reset() } }

  var pending: AnyValue? { read { $0.state.pending?.value ?? $0.undelivered.last } }
}

/// The settings, changed in place: each change is one call.
extension Pacer where State: SettableState {
  var settings: ValueSettings {
    get { read { $0.state.settings } }
    _modify {
      let now = enter()
      defer { leave(at: now) }
      yield &queue.state.settings
    }
  }
}
