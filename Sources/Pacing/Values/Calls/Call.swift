/// One call of a user's operation: its input and its caller, which is resumed exactly once.
final class Call<Input: Sendable, Output: Sendable>: Sendable {
  typealias Outcome = CallOutcome<Output>

  private struct State {
    var run: HandlerRun?
    /// Whether the caller's task was cancelled.
    var isLeft = false
  }

  let input: Input
  private let wait = OneShot<Result<Outcome, any Error>>()
  private let state = Locked(State())

  init(_ input: Input) {
    self.input = input
  }

  /// Suspends the caller until the call ends.
  func outcome() async throws -> Outcome {
    try await wait.outcome().get()
  }

  /// Ends the call; only the first result counts.
  func end(_ result: Result<Outcome, any Error>) {
    wait.resolve(result)
  }

  /// Ends a call that will not run.
  func end(dropped reason: DropReason) {
    let isSuperseded = reason == .edge || reason == .busy
    end(.success(isSuperseded ? .superseded : .cancelled))
  }

  /// Runs the operation for the caller, which can cancel the run from now on.
  func run(in run: HandlerRun, _ operation: (Input) async throws -> Output) async {
    let isLeft = state.withLock { state in
      state.run = run
      return state.isLeft
    }
    if isLeft { run.cancel() }
    do {
      let output = try await operation(input)
      end(.success(.executed(output)))
    } catch let error as CancellationError {
      end(interrupted(by: error))
    } catch {
      end(.failure(error))
    }
  }

  private func interrupted(by error: CancellationError) -> Result<Outcome, any Error> {
    if isLeft { return .success(.cancelled) }
    // The tool cancels a run only in favour of a newer one.
    return Task.isCancelled ? .success(.superseded) : .failure(error)
  }

  /// Records that the caller's task was cancelled, and cancels a run that has begun for it.
  func leave() {
    let run = state.withLock { state in
      state.isLeft = true
      return state.run
    }
    run?.cancel()
  }

  /// Whether the caller's task was cancelled.
  var isLeft: Bool { state.withLock { $0.isLeft } }
}
