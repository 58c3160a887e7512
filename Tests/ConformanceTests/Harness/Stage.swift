import Pacing
import PacingTesting
import TestSupport

/// Virtual time for one scenario: a clock, and the tasks that wait on it, on the caller's thread.
final class Stage {
  let clock = ManualClock()

  private let executor = StepExecutor()
  private var tasks = [Task<Void, Never>]()
  private var moves = 0

  /// More moves than any scenario needs: something goes on for ever.
  private static let limit = 200_000

  var now: Nanoseconds { clock.now.nanoseconds }

  deinit {
    for task in tasks { task.cancel() }
    clock.runReady()
    executor.runAll()
  }

  /// Starts a task that runs whenever time stands still.
  @discardableResult
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task(executorPreference: executor, operation: body)
    tasks.append(task)
    return task
  }

  /// Runs the handlers that were decided and the tasks that were resumed, until all have ended or wait.
  func settle() {
    repeat { clock.runReady() } while executor.runAll()
  }

  /// Moves time on, from deadline to deadline, so that the tasks see each of them.
  func advance(to instant: Nanoseconds) throws(Obstacle) {
    settle()
    while let next = clock.nextDeadline, next.nanoseconds <= max(instant, now) {
      moves += 1
      guard moves < Self.limit else { throw .broken("it never comes to rest") }
      clock.advance(to: next)
      settle()
    }
    clock.advance(to: PacingInstant(nanoseconds: instant))
    settle()
  }

  /// Lets time pass while no timer runs.
  func lapse(to instant: Nanoseconds) {
    guard instant > now else { return }
    clock.lapse(by: Duration(nanoseconds: instant - now))
  }

  /// Arrives at an instant before anything that is due there has happened.
  func approach(_ instant: Nanoseconds) throws(Obstacle) {
    if instant > now { try advance(to: instant - 1) }
    lapse(to: instant)
  }

  /// Moves time on until nothing is pending, or past the horizon.
  func play(until horizon: Nanoseconds?) throws(Obstacle) {
    if let horizon { return try advance(to: max(now, horizon)) }
    settle()
    while let next = clock.nextDeadline { try advance(to: next.nanoseconds) }
  }
}
