import Dispatch

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
    watch()
  }

  /// The lines of standard input, up to an interruption.
  func lines() -> LineReader {
    LineReader(.standardInput, until: interruption)
  }

  /// Runs the command once, and waits for it on this thread.
  ///
  /// - Returns: its exit status, nil where an interruption was there before it could begin.
  /// - Throws: an error with status 127 or 126 where it cannot be started.
  func run(_ command: [[UInt8]]) throws(CommandError) -> ExitStatus? {
    guard interruption.cause == nil else { return nil }
    let child = try ChildProcess(command, signals: signals)
    if case .signal(let number) = interruption.passSignals(to: child) {
      child.send(number)
    }
    defer { interruption.passSignals(to: nil) }
    return child.wait()
  }

  /// Each of the two waits blocks a thread for good, so each has a queue of its own.
  private func watch() {
    let (signals, interruption) = (signals, interruption)
    DispatchQueue(label: "pace.signals").async {
      while true { interruption.receive(signals.next()) }
    }
    DispatchQueue(label: "pace.output").async {
      let closed = try? Descriptor.wait(for: [(.standardOutput, .closing)])
      if closed != nil { interruption.interrupt(.outputClosed) }
    }
  }
}
