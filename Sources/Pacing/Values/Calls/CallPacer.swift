/// A pacer, with any timing, and the verbs of a tool for calls.
protocol CallPacer<Input, Output>: ValuePacer where Value == Call<Input, Output> {
  associatedtype Input: Sendable
  associatedtype Output: Sendable

  func call(_ input: Input, waiting wait: Nanoseconds?) async throws -> CallOutcome<Output>

  /// Sets the operation of a tool made without one.
  func set(_ operation: Handler<Call<Input, Output>>)
}

/// The only implementation: a pacer whose values are calls.
final class CallPacing<Timing: ValueTiming, Input: Sendable, Output: Sendable>: CallPacer {
  let pacer: Pacer<ValueState<Timing, Call<Input, Output>>>
  private let wait: Rules<Input>.Wait?
  private let answering: Answering

  init(
    _ timing: Timing, varying wait: Rules<Input>.Wait?, tolerance: Duration,
    answering: Answering, clock: any PacingClock, operation: Handler<Call<Input, Output>>?
  ) {
    self.wait = wait
    self.answering = answering
    pacer = Pacer(ValueState(timing), handler: operation, tolerance: tolerance, clock: clock)
    pacer.observeDrops(
      with: .init(isAtOnce: true) { call, reason in call.end(dropped: reason) })
  }

  deinit {
    pacer.abandon()
  }

  func set(_ operation: Handler<Call<Input, Output>>) { pacer.setHandler(operation) }

  func call(_ input: Input, waiting wait: Nanoseconds?) async throws -> CallOutcome<Output> {
    guard !Task.isCancelled else { return .cancelled }
    let wait = wait ?? self.wait?(input).map(Nanoseconds.init(wait:))
    let call = Call<Input, Output>(input)
    return try await withTaskCancellationHandler {
      var displaced = call
      if pacer.send(&displaced, waiting: wait) == .merged { answer(displaced, through: call) }
      // The task may have been cancelled before the call could be withdrawn.
      withdraw(call.sent())
      return try await call.outcome()
    } onCancel: {
      withdraw(call.leave())
    }
  }

  private func answer(_ displaced: Call<Input, Output>, through call: Call<Input, Output>) {
    if answering.isShared { call.represent(displaced) } else { displaced.endSuperseded() }
  }

  /// Withdraws a call that no caller wants, or cancels its run.
  private func withdraw(_ call: Call<Input, Output>?) {
    guard let call else { return }
    call.cancelRun()
    _ = pacer.withdrawAll(where: { $0 === call }) { state in
      guard state.pending === call else { return [] }
      return state.cancelAll()
    }
  }
}
