/// A pacer of calls, whatever its timing.
protocol CallPacer<Input, Output>: AnyObject, Sendable {
  associatedtype Input: Sendable
  associatedtype Output: Sendable

  func call(_ input: Input) async throws -> CallOutcome<Output>
  func flush() -> Bool
  func cancel() -> Input?
  func finish(_ finish: Finish)
  var isPending: Bool { get }
  var statistics: DeliveryStatistics { get }
  func waitForHandler() async
  func waitForDeliveries() async
}

/// The one implementation: a pacer whose values are calls.
final class CallPacing<Timing: ValueTiming, Input: Sendable, Output: Sendable>: CallPacer {
  private let pacer: Pacer<ValueState<Timing, Call<Input, Output>>>

  init(
    _ timing: Timing, tolerance: Duration, clock: some PacingClock,
    handler: Handler<Call<Input, Output>>
  ) {
    pacer = Pacer(ValueState(timing), handler: handler, tolerance: tolerance, clock: clock)
    pacer.observeDrops(
      with: .init(isAtOnce: true) { call, reason in call.end(dropped: reason) })
  }

  deinit {
    pacer.abandon()
  }

  func call(_ input: Input) async throws -> CallOutcome<Output> {
    guard !Task.isCancelled else { return .cancelled }
    let call = Call<Input, Output>(input)
    return try await withTaskCancellationHandler {
      var displaced = call
      if pacer.send(&displaced), displaced !== call {
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
  var statistics: DeliveryStatistics { pacer.statistics }
  func waitForHandler() async { await pacer.waitForHandler() }
  func waitForDeliveries() async { await pacer.waitForDeliveries() }
}
