/// One call of a user's operation: its input and its caller, which is resumed exactly once.
///
/// A call may stand for older ones that it superseded: their callers get the outcome of its run,
/// and the run is wanted as long as one of all these callers waits.
///
/// ## Concurrency
/// Thread-safe. Lock order: a call's lock, then that of the call that stands for it.
final class Call<Input: Sendable, Output: Sendable>: Sendable {
  typealias Outcome = CallOutcome<Output>
  private typealias Answer = Result<Outcome, any Error>

  private struct State {
    var run: HandlerRun?
    /// How many want the run: the callers, and until `sent()` the sender.
    var interest = 2
    /// The calls that this one stands for, oldest first.
    var represented = [Call]()
    /// The call that stands for this one.
    var standIn: Call?
    var answer: Answer?
  }

  let input: Input
  private let wait = OneShot<Answer>()
  private let state = Locked(State())

  init(_ input: Input) {
    self.input = input
  }

  /// Suspends the caller until the call ends.
  func outcome() async throws -> Outcome {
    try await wait.outcome().get()
  }

  /// Ends the call, and those that it stands for; only the first result counts.
  private func end(_ answer: Answer) {
    let represented = state.withLock { state -> [Call] in
      guard state.answer == nil else { return [] }
      state.answer = answer
      defer { state.represented = [] }
      return state.represented
    }
    wait.resolve(answer)
    for call in represented { call.end(as: answer) }
  }

  /// Ends the call as the one that stands for it.
  private func end(as answer: Answer) {
    // Taken outside the lock: each stand-in may hold the last reference to the next.
    let standIn = state.withLock { $0.standIn.take() }
    withExtendedLifetime(standIn) { end(answer.map { $0.shared }) }
  }

  /// Ends a call that will not run.
  func end(dropped reason: DropReason) {
    let isSuperseded = reason == .edge || reason == .busy
    end(.success(isSuperseded ? .superseded : .cancelled))
  }

  /// Ends a call in whose place another one runs.
  func endSuperseded() {
    end(.success(.superseded))
  }

  /// Runs the operation for the callers, the last of which cancels the run when it leaves.
  func run(in run: HandlerRun, _ operation: (Input) async throws -> Output) async {
    let isWanted = state.withLock { state in
      state.run = run
      return state.interest > 0
    }
    if !isWanted { run.cancel() }
    do {
      let output = try await operation(input)
      end(.success(.executed(output)))
    } catch {
      end(failed(with: error))
    }
  }

  /// The answer to a failure: in a cancelled run, any error is the operation's way to end early.
  private func failed(with error: any Error) -> Answer {
    guard Task.isCancelled || error is CancellationError else { return .failure(error) }
    let isWanted = state.withLock { $0.interest > 0 }
    guard isWanted else { return .success(.cancelled) }
    // The tool cancels a run only in favour of a newer one.
    return Task.isCancelled ? .success(.superseded) : .failure(error)
  }

  // MARK: Callers

  /// Stands for an older call and for those that it stands for; if this call is superseded itself
  /// by now, the newer one does.
  func represent(_ older: Call) {
    var call = self
    while let next = call.adopt(older) { call = next }
  }

  /// - Returns: The call that stands for this one and has to adopt it instead.
  private func adopt(_ older: Call) -> Call? {
    let (standIn, answer) = older.state.withLock { olderState in
      state.withLock { state -> (Call?, Answer?) in
        guard state.standIn == nil, state.answer == nil else {
          return (state.standIn, state.answer)
        }
        // Its callers have left: none of them waits for this call.
        guard olderState.interest > 0 else { return (nil, .success(.cancelled)) }
        olderState.standIn = self
        state.interest += olderState.interest
        // Moved and not copied: of a long burst each call adopts all before it.
        swap(&state.represented, &olderState.represented)
        state.represented += olderState.represented
        olderState.represented = []
        state.represented.append(older)
        return (nil, nil)
      }
    }
    if standIn == nil, let answer { older.end(answer.map { $0.shared }) }
    return standIn
  }

  /// Records that the call is with the tool.
  ///
  /// - Returns: The call whose last interested caller has left, nil if its run is wanted.
  func sent() -> Call? { loseInterest() }

  /// Records that the caller's task was cancelled; the caller is resumed now, unless it is the last
  /// that wants the run: then when that has ended.
  ///
  /// - Returns: The call whose last interested caller has left, nil if its run is wanted.
  func leave() -> Call? {
    let unwanted = loseInterest()
    if unwanted == nil { wait.resolve(.success(.cancelled)) }
    return unwanted
  }

  private func loseInterest() -> Call? {
    var call = self
    while true {
      let (next, isLast) = call.state.withLock { state -> (Call?, Bool) in
        if let standIn = state.standIn { return (standIn, false) }
        state.interest -= 1
        return (nil, state.interest == 0)
      }
      guard let next else { return isLast ? call : nil }
      call = next
    }
  }

  /// Cancels the run, if it has begun.
  func cancelRun() {
    state.withLock { $0.run }?.cancel()
  }
}
