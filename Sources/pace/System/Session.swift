import Pacing
import Dispatch

/// The connections of a command to the system: input, output, signals and child processes.
struct Session: Sendable {
  let signals: Signals
  let interruption: Interruption
  let output: LineWriter

  /// Connects the process: the first call of the program.
  ///
  /// - Throws: The system's error if no descriptor is left.
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
  func run(
    _ command: ChildCommand, until stop: ChildStop = ChildStop()
  ) async throws(CommandError) -> ExitStatus {
    try await block("pace.child") { () throws(CommandError) in
      try runAndBlock(command, until: stop)
    }
  }

  /// Runs the command once, on this thread.
  ///
  /// - Returns: Its exit status.
  /// - Throws: An error with status 127 or 126 if it cannot be started, or the cause if the work
  ///   was interrupted before.
  func runAndBlock(
    _ command: ChildCommand, until stop: ChildStop = ChildStop()
  ) throws(CommandError) -> ExitStatus {
    if let cause = interruption.cause { throw cause.error }
    let child = try ChildProcess(command, signals: signals)
    if case .signal(let number) = interruption.passSignals(to: child) {
      child.send(number)
    }
    stop.attach(child)
    defer { interruption.passSignals(to: nil) }
    return child.wait()
  }

  /// Writes a line to standard error, with the command's name; failures are ignored.
  func say(_ message: String, by name: String) {
    try? Descriptor.standardError.write(Array("\(name): \(message)\n".utf8)[...])
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

  /// Runs the work in a task while this thread waits for signals, and ends the process.
  ///
  /// The main thread must not sleep in any other way: the run loop of an asynchronous `main`
  /// unblocks signals there, with their default action.
  func end(after work: @escaping @Sendable (Session) async -> ExitStatus) -> Never {
    Task.detached { OwnProcess.end(with: await work(self)) }
    while true { interruption.receive(signals.next()) }
  }

  /// The wait blocks a thread until the end, so it has a queue of its own.
  private func watchOutput() {
    DispatchQueue(label: "pace.output").async { [interruption] in
      let closed = try? Descriptor.wait(for: [(.standardOutput, .closing)])
      if closed != nil { interruption.interrupt(.failure(.outputAbandoned)) }
    }
  }
}
