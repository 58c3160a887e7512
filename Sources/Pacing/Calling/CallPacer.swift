/// A pacer of calls, whatever its timing.
protocol CallPacer<Input, Output>: AnyObject, Sendable {
  associatedtype Input: Sendable
  associatedtype Output: Sendable

  func call(_ input: Input, waiting wait: Nanoseconds?) async throws -> CallOutcome<Output>
  func flush() -> Bool
  func cancel() -> Input?
  func finish(_ finish: Finish)
  var isPending: Bool { get }
  var pending: Input? { get }
  var timeRemaining: Duration? { get }
  var isEnabled: Bool { get set }
  var statistics: DeliveryStatistics { get }
  func waitForHandler() async
  func waitForDeliveries() async
}

/// The one implementation: a pacer whose values are calls.
final class CallPacing<Timing: ValueTiming, Input: Sendable, Output: Sendable>: CallPacer {
  let pacer: Pacer<ValueState<Timing, Call<Input, Output>>>
  private let wait: Rules<Input>.Wait?

  init(
    _ timing: Timing, varying wait: Rules<Input>.Wait?, tolerance: Duration,
    clock: any PacingClock, handler: Handler<Call<Input, Output>>
  ) {
    self.wait = wait
    pacer = Pacer(ValueState(timing), handler: handler, tolerance: tolerance, clock: clock)
    pacer.observeDrops(
      with: .init(isAtOnce: true) { call, reason in call.end(dropped: reason) })
  }

  deinit {
    pacer.abandon()
  }

  func call(_ input: Input, waiting wait: Nanoseconds?) async throws -> CallOutcome<Output> {
    guard !Task.isCancelled else { return .cancelled }
    let wait = wait ?? self.wait?(input).map(Nanoseconds.init(wait:))
    let call = Call<Input, Output>(input)
    return try await withTaskCancellationHandler {
      var displaced = call
      if pacer.send(&displaced, waiting: wait), displaced !== call {
        displaced.end(.success(.superseded))
      }
      // Where the task was cancelled before the call was there to be withdrawn.
      if call.isLeft { withdraw(call) }
      return try await call.outcome()
    } onCancel: {
      call.leave()
      withdraw(call)
    }
  }

  /// Takes back a call that has not begun.
  private func withdraw(_ call: Call<Input, Output>) {
    _ = pacer.withdrawAll(where: { $0 === call }) { state in
      guard state.pending === call else { return [] }
      return state.cancelAll()
    }
  }

  func flush() -> Bool { pacer.flush() }
  func cancel() -> Input? { pacer.cancel()?.input }
  func finish(_ finish: Finish) { pacer.finish(finish) }
  var isPending: Bool { pacer.isPending }
  var pending: Input? { pacer.pending?.input }
  var timeRemaining: Duration? { pacer.timeRemaining }

  var isEnabled: Bool {
    get { pacer.isEnabled }
    set { pacer.isEnabled = newValue }
  }

  var statistics: DeliveryStatistics { pacer.statistics }
  func waitForHandler() async { await pacer.waitForHandler() }
  func waitForDeliveries() async { await pacer.waitForDeliveries() }
}
