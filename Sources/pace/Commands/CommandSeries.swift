import Pacing
import Synchronization

/// The runs of one command, one after another, until there were enough or the work is stopped.
///
/// ## Concurrency
/// Thread-safe. `runOnce()` blocks its thread, and is called by one at a time.
final class CommandSeries: Sendable {
  /// The last run's status, or why there was no run.
  typealias Outcome = Result<ExitStatus, CommandError>

  private struct State {
    var isRunning = false
    var isOver = false
    var runs = 0
    var outcome = Outcome.success(.success)
  }

  private let command: [[UInt8]]
  private let count: Int?
  private let session: Session
  private let state = Mutex(State())
  private let promise = OneShot<Outcome>()

  /// Prepares `count` runs, or runs without an end where it is nil.
  init(_ command: [[UInt8]], count: Int?, in session: Session) {
    self.command = command
    self.count = count
    self.session = session
  }

  /// Runs the command and waits for it; does nothing when the series is over.
  func runOnce() {
    let mayRun = state.withLock { state in
      state.isRunning = !state.isOver
      return state.isRunning
    }
    guard mayRun else { return }
    let outcome = Outcome { () throws(CommandError) in try session.runAndBlock(command) }
    let last = state.withLock { state -> Outcome? in
      state.isRunning = false
      state.runs += 1
      state.outcome = outcome
      if state.runs == count { state.isOver = true }
      if case .failure = outcome { state.isOver = true }
      return state.isOver ? outcome : nil
    }
    if let last { promise.resolve(last) }
  }

  /// Ends the series, after the run that is going on.
  func stop() {
    let last = state.withLock { state -> Outcome? in
      state.isOver = true
      return state.isRunning ? nil : state.outcome
    }
    if let last { promise.resolve(last) }
  }

  /// How the series ended, once it has.
  func outcome() async -> Outcome {
    await promise.outcome()
  }
}
