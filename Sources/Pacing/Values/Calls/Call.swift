/// One call of a user's operation: its input and its caller, which is resumed exactly once.
final class Call<Input: Sendable, Output: Sendable>: Sendable {
  typealias Outcome = CallOutcome<Output>

  private struct State {
    var run: HandlerRun?
    var hasLeft = false
  }

  let input: Input
  private let wait = OneShot<Result<Outcome, any Error>>()
  private let state = Locked(State())

  init(_ input: Input) {
    self.input = input
  }

  func outcome() async throws -> Outcome {
    try await wait.outcome().get()
  }

  /// Ends a call that will not run, `busy` if another one runs in its place; only the first end
  /// counts.
  func end(dropped reason: DropReason) {
    let isSuperseded = reason == .edge || reason == .busy
    wait.resolve(.success(isSuperseded ? .superseded : .cancelled))
  }

  func run(in run: HandlerRun, _ operation: (Input) async throws -> Output) async {
    let hasLeft = state.withLock { state in
      state.run = run
      return state.hasLeft
    }
    if hasLeft { run.cancel() }
    do {
      wait.resolve(.success(.executed(try await operation(input))))
    } catch {
      wait.resolve(answer(to: error))
    }
  }

  /// The answer to a failure: in a cancelled run, any error is the operation's way to end early.
  private func answer(to error: any Error) -> Result<Outcome, any Error> {
    guard Task.isCancelled else { return .failure(error) }
    // The tool cancels a run that is wanted only in favour of a newer one.
    return .success(hasLeft ? .cancelled : .superseded)
  }

  var hasLeft: Bool { state.withLock { $0.hasLeft } }

  /// Records that the caller's task was cancelled, and cancels the run if it has begun.
  func leave() {
    let run = state.withLock { state in
      state.hasLeft = true
      return state.run
    }
    run?.cancel()
  }
}
