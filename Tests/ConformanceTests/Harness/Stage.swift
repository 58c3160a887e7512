import Pacing
import PacingTesting

/// Virtual time for one scenario: a clock, and the tasks that wait on it, on the caller's thread.
final class Stage {
  let clock = ManualClock()

  private let executor = StepExecutor()
  private var tasks = [Task<Void, Never>]()
  private var moves = 0
  /// Until then no timer runs.
  private var stalledUntil: Nanoseconds?

  /// More moves than any scenario needs: something goes on for ever.
  private static let limit = 20_000

  var now: Nanoseconds { clock.now.nanoseconds }

  deinit {
    for task in tasks { task.cancel() }
    clock.runReady()
    _ = executor.runAll()
  }

  /// Starts a task that runs whenever time stands still.
  @discardableResult
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task(executorPreference: executor, operation: body)
    tasks.append(task)
    return task
  }

  /// Runs the handlers that were decided and the tasks that were resumed, until all have ended or
  /// wait.
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

  // MARK: Steps

  /// Moves to the time of a step, after or before what is due then; in a stall no timer runs.
  func move(to time: Nanoseconds, beforeWhatIsDue: Bool = false) throws(Obstacle) {
    if let until = stalledUntil {
      let isOver = beforeWhatIsDue ? time > until : time >= until
      guard isOver else { return lapse(to: time) }
      try wakeUp()
    }
    if beforeWhatIsDue { try approach(time) } else { try advance(to: time) }
  }

  /// From `time` on no timer runs: the calls find out themselves what was due.
  func stall(from time: Nanoseconds, by call: Call) throws(Obstacle) {
    let until = try call.required("until", call.nanoseconds("until"))
    try move(to: time, beforeWhatIsDue: true)
    stalledUntil = max(until, stalledUntil ?? until)
  }

  /// Ends a stall: the timers that it kept waiting run now.
  func wakeUp() throws(Obstacle) {
    guard let until = stalledUntil else { return }
    stalledUntil = nil
    lapse(to: until)
    try advance(to: until)
  }

  /// Moves time on until nothing is pending, or past the horizon.
  func play(until horizon: Nanoseconds?) throws(Obstacle) {
    if let horizon { return try advance(to: max(now, horizon)) }
    settle()
    while let next = clock.nextDeadline { try advance(to: next.nanoseconds) }
  }
}
