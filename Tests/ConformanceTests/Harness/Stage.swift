import Pacing
import PacingTesting

/// Virtual time for one scenario: a clock and the tasks that wait on it, on the caller's thread.
final class Stage {
  let clock = ManualClock()

  private let executor = StepExecutor()
  private var tasks = [Task<Void, Never>]()
  private var moves = 0
  /// No timer runs until then.
  private var stalledUntil: Nanoseconds?

  /// More moves than any scenario needs before it comes to rest.
  private static let limit = 20_000

  var now: Nanoseconds { clock.now.nanoseconds }

  deinit {
    for task in tasks { task.cancel() }
    clock.runReady()
    _ = executor.runAll()
  }

  /// Starts a task that runs while time stands still.
  @discardableResult
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let task = Task(executorPreference: executor, operation: body)
    tasks.append(task)
    return task
  }

  /// Runs decided handlers and resumed tasks until all have ended or wait.
  func settle() {
    repeat { clock.runReady() } while executor.runAll()
  }

  /// Advances time from deadline to deadline, so that tasks observe each.
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
    clock.lapse(by: Duration.nanoseconds(instant - now))
  }

  /// Arrives at an instant before anything due there happens.
  private func approach(_ instant: Nanoseconds) throws(Obstacle) {
    if instant > now { try advance(to: instant - 1) }
    lapse(to: instant)
  }

  // MARK: Steps

  /// When the next timer runs, which a stall delays; never if there is none.
  var nextDue: Nanoseconds {
    let due = clock.nextDeadline?.nanoseconds ?? .never
    return max(due, stalledUntil ?? due)
  }

  /// Moves to the time of a step, before or after what is due then; no timer runs in a stall.
  func move(to time: Nanoseconds, beforeWhatIsDue: Bool = false) throws(Obstacle) {
    if let until = stalledUntil {
      let isOver = beforeWhatIsDue ? time > until : time >= until
      guard isOver else { return lapse(to: time) }
      try wakeUp()
    }
    if beforeWhatIsDue { try approach(time) } else { try advance(to: time) }
  }

  /// From `time` on no timer runs: calls discover what was due.
  func stall(from time: Nanoseconds, by call: Call) throws(Obstacle) {
    try call.expectOnly(["until"])
    let until = try call.required("until", call.nanoseconds("until"))
    try move(to: time, beforeWhatIsDue: true)
    stalledUntil = max(until, stalledUntil ?? until)
  }

  /// Ends a stall: delayed timers run now.
  func wakeUp() throws(Obstacle) {
    guard let until = stalledUntil else { return }
    stalledUntil = nil
    lapse(to: until)
    try advance(to: until)
  }

  /// Advances time until nothing is pending, or past the horizon.
  func play(until horizon: Nanoseconds?) throws(Obstacle) {
    if let horizon { return try advance(to: max(now, horizon)) }
    settle()
    while let next = clock.nextDeadline { try advance(to: next.nanoseconds) }
  }
}
