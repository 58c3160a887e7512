import Pacing
import Synchronization

/// The runs of a command, one after another, until there were enough or the work is stopped.
///
/// A command that cannot be started ends the series, unless it has run before: it may be missing
/// only while it is built.
///
/// ## Concurrency
/// Thread-safe. The runs must not overlap.
final class CommandSeries: Sendable {
  /// The last run's status, or the reason why it could not start.
  typealias Outcome = Result<ExitStatus, CommandError>

  private struct State {
    var isRunning = false
    var isOver = false
    var stop: ChildStop?
    var runs = 0
    var hasStarted = false
    var outcome = Outcome.success(.success)
  }

  private let count: Int?
  private let session: Session
  private let name: String
  private let state = Mutex(State())
  private let promise = OneShot<Outcome>()

  /// Prepares `count` runs for the command of that name, or runs without end if it is nil.
  init(count: Int?, in session: Session, by name: String) {
    self.count = count
    self.session = session
    self.name = name
  }

  /// The number of runs that have ended.
  var runs: Int { state.withLock { $0.runs } }

  /// Runs the command on this thread; a no-op when the series is over.
  ///
  /// - Returns: The run's status, or nil if no further run follows.
  @discardableResult
  func runAndBlock(_ command: ChildCommand) -> ExitStatus? {
    guard begin() else { return nil }
    return end(Outcome { () throws(CommandError) in try session.runAndBlock(command) })
  }

  /// Runs the command; a no-op when the series is over.
  ///
  /// A cancelled task ends the command.
  func run(_ command: ChildCommand) async {
    let stop = ChildStop()
    guard begin(stop) else { return }
    await withTaskCancellationHandler {
      do throws(CommandError) {
        _ = end(.success(try await session.run(command, until: stop)))
      } catch {
        _ = end(.failure(error))
      }
    } onCancel: {
      stop.request()
    }
  }

  /// Ends the series, after the present run.
  func stop() {
    let last = state.withLock { state -> Outcome? in
      state.isOver = true
      return state.isRunning ? nil : state.outcome
    }
    if let last { promise.resolve(last) }
  }

  /// Ends the series, and the present one of the runs that can be cancelled.
  ///
  /// - Parameter isTold: Whether a signal that is passed on asks the command already.
  func stopRun(isTold: Bool) {
    stop()
    state.withLock { $0.stop }?.request(isTold: isTold)
  }

  /// The last run's outcome, once the series is over.
  func outcome() async -> Outcome {
    await promise.outcome()
  }

  private func begin(_ stop: ChildStop? = nil) -> Bool {
    state.withLock { state in
      state.isRunning = !state.isOver
      state.stop = stop
      return state.isRunning
    }
  }

  private func end(_ outcome: Outcome) -> ExitStatus? {
    let isOver = state.withLock { state in
      state.isRunning = false
      state.runs += 1
      state.outcome = outcome
      switch outcome {
      case .success: state.hasStarted = true
      case .failure(let error): if !state.hasStarted || !error.isOfStart { state.isOver = true }
      }
      if state.runs == count { state.isOver = true }
      return state.isOver
    }
    guard !isOver else {
      promise.resolve(outcome)
      return nil
    }
    switch outcome {
    case .success(let status): return status
    case .failure(let error):
      if let message = error.message { session.say(message, by: name) }
      return error.status
    }
  }
}
