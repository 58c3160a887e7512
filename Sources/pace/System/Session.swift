import Dispatch
import Pacing

/// What a command has of the world around it: input, output, and the news that it should stop.
struct Session: Sendable {
  let signals: Signals
  let interruption: Interruption
  let output: LineWriter

  /// Connects the process; to be called once, first of all.
  ///
  /// - Throws: what the system says where it has no descriptors left.
  init() throws(SystemError) {
    Descriptor.reserveStandardNumbers()
    signals = Signals()
    interruption = try Interruption()
    output = LineWriter(.standardOutput)
    watchOutput()
  }

  /// Standard input, up to an interruption.
  func input() -> Input {
    Input(.standardInput, until: interruption)
  }

  /// Does work that blocks its thread, on a thread of its own.
  func block<Value: Sendable, Failure: Error>(
    _ label: String, _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let promise = OneShot<Result<Value, Failure>>()
    DispatchQueue(label: label).async {
      promise.resolve(Result { () throws(Failure) in try work() })
    }
    return try await promise.outcome().get()
  }

  /// Runs the command once.
  ///
  /// - Returns: Its exit status.
  /// - Throws: An error with status 127 or 126 if it cannot be started, or the cause if the work
  ///   was interrupted before.
  func run(_ command: [[UInt8]]) async throws(CommandError) -> ExitStatus {
    try await block("pace.child") { () throws(CommandError) in try runAndBlock(command) }
  }

  /// Runs the command once, and waits for it on this thread.
  ///
  /// - Returns: its exit status.
  /// - Throws: an error with status 127 or 126 where it cannot be started, and what has interrupted
  ///   the work before it could begin.
  func runAndBlock(_ command: [[UInt8]]) throws(CommandError) -> ExitStatus {
    if let cause = interruption.cause { throw cause.error }
    let child = try ChildProcess(command, signals: signals)
    if case .signal(let number) = interruption.passSignals(to: child) {
      child.send(number)
    }
    defer { interruption.passSignals(to: nil) }
    return child.wait()
  }

  /// Does the work in a task that an interruption cancels.
  func untilInterrupted<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let task = Task { () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
    }
    interruption.whenInterrupted { task.cancel() }
    return try await task.value.get()
  }

  /// Runs the work beside this thread, which waits for signals meanwhile, and ends the process.
  ///
  /// The main thread must not go to sleep in any other way: the run loop of an asynchronous `main`
  /// lets blocked signals through there, with their default action.
  func end(after work: @escaping @Sendable (Session) async -> ExitStatus) -> Never {
    Task.detached { OwnProcess.end(with: await work(self)) }
    while true { interruption.receive(signals.next()) }
  }

  /// The wait blocks a thread for good, so it has a queue of its own.
  private func watchOutput() {
    DispatchQueue(label: "pace.output").async { [interruption] in
      let closed = try? Descriptor.wait(for: [(.standardOutput, .closing)])
      if closed != nil { interruption.interrupt(.failure(.outputAbandoned)) }
    }
  }
}
