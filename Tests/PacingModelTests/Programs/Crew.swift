import Pacing
import PacingTesting
import TestSupport

/// The threads behind `.shared` on virtual time, in place of the thread that advances it.
///
/// What `SharedWorkers` and the timer's thread do, as steps: timers fire, pieces of work come into
/// the line, threads are called and arrive 30–90 µs later, take pieces, block and end, and the
/// policy looks. The handlers are real code, on real threads that pass a baton.
final class Crew: Sendable {
  /// How many threads there are, and what the system does to them.
  struct Settings: Sendable {
    var width: Int
    var limit: Int
    /// The system refuses one thread in four.
    var isRefusing: Bool
  }

  private enum Event {
    case arrival
    case refusal
    case look
    case resume(Baton.Sleeper)
  }

  private struct Piece {
    let work: @Sendable () -> Void
    let came: Nanoseconds
  }

  private struct State {
    var policy: WorkerPolicy
    var line = FIFO<Piece>()
    var events = DeadlineQueue<Event>()
    var random: SplitMix64
    /// The time during which no thread ran.
    var lapsed: Nanoseconds = 0
    /// The last instant at which every thread that there may be was busy.
    var lastFull = Nanoseconds.min
    /// How many pieces have begun and not ended.
    var running = 0
    var violation: String?
  }

  /// The longest that a piece waits while a thread may be called for it.
  static let longestWait: Nanoseconds = 5_000_000

  let settings: Settings
  private let service: TimerService
  private let time: ManualTime
  private let forgetsLooks: Bool
  private let baton = Baton()
  private let state: Locked<State>

  init(_ settings: Settings, clock: ManualClock, seed: UInt64, forgetsLooks: Bool) {
    self.settings = settings
    self.forgetsLooks = forgetsLooks
    service = clock.service
    time = clock.service.manual!
    state = Locked(
      State(
        policy: WorkerPolicy(width: settings.width, limit: settings.limit),
        random: SplitMix64(seed: seed)))
  }

  private var now: PacingInstant { time.now }

  /// What is wrong, nil if nothing is.
  var violation: String? { state.withLock { $0.violation } }

  /// What is wrong if nothing is due any more: work that no thread has taken.
  var violationAtEnd: String? {
    state.withLock { state in
      state.policy.waiting + state.running == 0
        ? nil : "\(state.line.count) handlers are never begun, \(state.running) never end"
    }
  }

  /// Takes the steps of a program, on one thread at a time.
  func run(_ step: @escaping @Sendable () -> Baton.Step) { baton.run(step) }

  /// Time passes in which no thread runs.
  func lapse(by span: Duration) {
    time.move(to: now.advanced(by: span))
    state.withLock { $0.lapsed += Nanoseconds(wait: span) }
  }

  /// Blocks the thread of a handler.
  func block(for span: Duration) {
    collect()
    let sleeper = Baton.Sleeper()
    let end = now.advanced(by: span)
    state.withLock { _ = $0.events.schedule(.resume(sleeper), at: end) }
    baton.block(sleeper)
  }

  // MARK: Steps

  /// Does what comes next up to an instant; nil if nothing is left to do before it.
  func step(until end: PacingInstant) -> Baton.Step? {
    collect()
    let (timers, threads) = (service.earliest, state.withLock { $0.events.earliest })
    let next = min(timers, threads)
    guard next <= max(end, now), next != .distantFuture else {
      time.move(to: end)
      return nil
    }
    time.move(to: next)
    let isBoth = timers <= now && threads <= now
    let isTimers = isBoth ? state.withLock { Bool.random(using: &$0.random) } : timers <= now
    return isTimers ? fire() : perform()
  }

  /// The work that has come is in the line.
  private func collect() {
    while let work = time.takeReady() {
      state.withLock { state in
        state.line.append(Piece(work: work, came: served(state)))
        act(state.policy.added(), &state)
      }
    }
  }

  /// The timer's thread wakes what is due, as one crowd.
  private func fire() -> Baton.Step {
    state.withLock { $0.policy.held() }
    while service.fireNext(dueAt: now) { collect() }
    state.withLock { state in act(state.policy.released(), &state) }
    return .again
  }

  private func perform() -> Baton.Step {
    let event = state.withLock { state in
      noteFull(&state)
      return state.events.popDue(at: now)?.payload
    }
    switch event {
    case .arrival: work()
    case .refusal: state.withLock { state in act(state.policy.failed(), &state) }
    case .look: state.withLock { state in act(state.policy.looked(), &state) }
    case .resume(let sleeper): return .resume(sleeper)
    case nil: break
    }
    return .again
  }

  /// What a thread does that has arrived.
  private func work() {
    var piece = next { $0.arrived() }
    var start = now
    while piece != nil {
      piece.take()?.work()
      time.ended()
      state.withLock { $0.running -= 1 }
      collect()
      let end = now
      piece = next { policy in policy.ended(after: end.nanoseconds - start.nanoseconds) }
      start = end
    }
  }

  private func next(
    _ event: (inout WorkerPolicy) -> (takes: Bool, step: WorkerPolicy.Step)
  ) -> Piece? {
    state.withLock { state in
      noteFull(&state)
      let (takes, step) = event(&state.policy)
      let piece = takes ? state.line.popFirst() : nil
      if piece != nil { state.running += 1 }
      act(step, &state)
      check(piece, &state)
      return piece
    }
  }

  // MARK: Inside the lock

  /// The time that has passed while threads ran.
  private func served(_ state: State) -> Nanoseconds { now.nanoseconds - state.lapsed }

  private func noteFull(_ state: inout State) {
    if state.policy.busy >= state.policy.limit { state.lastFull = served(state) }
  }

  private func act(_ step: WorkerPolicy.Step, _ state: inout State) {
    for _ in 0..<step.calls {
      let isRefused = settings.isRefusing && Int.random(in: 0..<4, using: &state.random) == 0
      let way = Nanoseconds.random(in: 30_000...90_000, using: &state.random)
      _ = state.events.schedule(isRefused ? .refusal : .arrival, at: now + way)
    }
    if step.mustLook, !forgetsLooks {
      let late = Nanoseconds.random(in: 0...WorkerPolicy.interval / 2, using: &state.random)
      _ = state.events.schedule(.look, at: now + WorkerPolicy.interval + late)
    }
  }

  /// Checks the threads, and how long a piece that begins was held up.
  private func check(_ piece: Piece?, _ state: inout State) {
    let policy = state.policy
    let isRight = policy.waiting == state.line.count && policy.busy == state.running
    if policy.busy + policy.called > policy.limit || !isRight {
      state.violation = "\(policy.limit) threads at most: \(policy)"
    }
    guard let piece, !settings.isRefusing, state.lastFull < piece.came else { return }
    let wait = served(state) - piece.came
    if wait > Self.longestWait {
      state.violation = "a handler was held up for \(wait) ns beside \(policy.busy - 1) others"
    }
  }
}
