/// One call of a user's operation: its input, and the caller, who is resumed exactly once.
final class Call<Input: Sendable, Output: Sendable>: Sendable {
  typealias Outcome = CallOutcome<Output>
  private typealias Continuation = CheckedContinuation<Outcome, any Error>

  private struct State {
    var caller: Continuation?
    var result: Result<Outcome, any Error>?
    var operation: Task<Output, any Error>?
    /// The caller's task was cancelled.
    var isLeft = false
  }

  let input: Input
  private let state = Locked(State())

  init(_ input: Input) {
    self.input = input
  }

  /// Suspends the caller until the call has ended.
  func outcome() async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.caller = continuation }
        return state.result
      }
      if let result { continuation.resume(with: result) }
    }
  }

  /// Ends the call; only the first end counts.
  func end(_ result: Result<Outcome, any Error>) {
    let caller = state.withLock { state -> Continuation? in
      guard state.result == nil else { return nil }
      state.result = result
      return state.caller.take()
    }
    caller?.resume(with: result)
  }

  /// Ends a call that will not be run.
  func end(dropped reason: DropReason) {
    let isSuperseded = reason == .edge || reason == .busy
    end(.success(isSuperseded ? .superseded : .cancelled))
  }

  /// Runs the operation for the caller, in a task that both the caller and this task can cancel.
  func run(_ operation: @escaping @Sendable (Input) async throws -> Output) async {
    let task = Task { [input] in try await operation(input) }
    let isLeft = state.withLock { state in
      state.operation = task
      return state.isLeft
    }
    if isLeft { task.cancel() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    switch result {
    case .success(let output): end(.success(.executed(output)))
    case .failure(let error as CancellationError): end(interrupted(by: error))
    case .failure(is OwnerHasGone): end(.success(.cancelled))
    case .failure(let error): end(.failure(error))
    }
  }

  private func interrupted(by error: CancellationError) -> Result<Outcome, any Error> {
    if state.withLock({ $0.isLeft }) { return .success(.cancelled) }
    // The tool cancels a run only in favour of a newer one.
    return Task.isCancelled ? .success(.superseded) : .failure(error)
  }

  /// Notes that the caller's task was cancelled: an operation that runs for it is cancelled with it.
  func leave() {
    let operation = state.withLock { state in
      state.isLeft = true
      return state.operation
    }
    operation?.cancel()
  }
}

/// What an operation throws whose actor has gone.
struct OwnerHasGone: Error {}
