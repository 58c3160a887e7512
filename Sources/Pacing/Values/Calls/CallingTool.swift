/// A tool whose callers wait for the outcome: ``AsyncDebouncer`` and ``AsyncThrottler``.
///
/// Each caller is resumed exactly once: with what the operation returned or threw for its own call,
/// or with `superseded` or `cancelled`. A newer call never cancels a running one, unless the tool
/// was made with ``Overlap/cancelPrevious``.
///
/// ## Concurrency
/// Thread-safe and re-entrant: the operation may call any method. Cancelling a waiting task
/// withdraws its call, or cancels the operation that runs for it, and then waits for its end. A
/// waiting caller keeps the tool alive.
public protocol CallingTool<Input, Output>: PacingTool where Withdrawn == Input? {
  /// The type of the operation's input.
  associatedtype Input: Sendable

  /// The type of the operation's result.
  associatedtype Output: Sendable

  /// Requests a run of the operation, and waits for the outcome, or throws the operation's error.
  func call(_ input: Input) async throws -> CallOutcome<Output>
}

extension CallingTool where Input == Void {
  /// Requests a run of an operation without input, and waits for the outcome.
  public func call() async throws -> CallOutcome<Output> { try await call(()) }
}

/// A calling tool made of a pacer, whose values are calls.
protocol CallTool: CallingTool, PacedTool where Core == ValuePacer {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CallTool {
  typealias Job = Call<Input, Output>

  public func cancel() -> Input? { pacer.cancel()?.get(Job.self).input }
  public var pending: Input? { pacer.pending?.get(Job.self).input }
  public func call(_ input: Input) async throws -> CallOutcome<Output> {
    try await outcome(of: Job(input), waiting: nil)
  }

  func run(_ overlap: Overlap, _ operation: @escaping @Sendable (Input) async throws -> Output) {
    pacer.attach(Handler(overlap) { await $0.get(Job.self).run(in: $1, operation) })
    pacer.observeDrops(isAtOnce: true) { $0.get(Job.self).end(dropped: $1) }
  }

  func outcome(of call: Job, waiting wait: Duration?) async throws -> CallOutcome<Output> {
    guard !Task.isCancelled else { return .cancelled }
    return try await withTaskCancellationHandler {
      var displaced = AnyValue(call)
      if pacer.send(&displaced, waiting: wait.map(Nanoseconds.init(wait:))) == .merged {
        displaced.get(Job.self).end(dropped: .busy)
      }
      // The task may have been cancelled before the call could be withdrawn.
      if call.hasLeft { withdraw(call) }
      return try await call.outcome()
    } onCancel: {
      call.leave()
      withdraw(call)
    }
  }

  private func withdraw(_ call: Job) {
    let isCall: @Sendable (AnyValue) -> Bool = { $0.get(Job.self) === call }
    _ = pacer.withdrawAll(where: isCall) { state in
      guard let pending = state.pending, isCall(pending.value) else { return [] }
      return state.leave().map { [$0] } ?? []
    }
  }
}

extension ValuePacer {
  convenience init<Input: Sendable, Output: Sendable>(
    _ settings: ValueSettings, of _: Call<Input, Output>.Type,
    varying wait: (@Sendable (Input) -> Duration?)?, tolerance: Duration, service: TimerService
  ) {
    let rule = wait.map { wait in { @Sendable (call: Call<Input, Output>) in wait(call.input) } }
    self.init(settings, varying: rule, tolerance: tolerance, service: service)
  }
}
