import Pacing

/// Threads, work items and checks around a worker policy, on virtual time.
///
/// `SharedWorkers` has the same on real time. Waking a thread takes 30–90 µs, and a look is
/// punctual, unless the machine is slow.
struct WorkerSimulation {
  private enum Event {
    case piece(length: Nanoseconds, name: Int)
    case hold
    case release
    case arrival
    case end(length: Nanoseconds)
    case look
  }

  private(set) var policy: WorkerPolicy
  private(set) var mostThreads = 0
  private(set) var wakes = 0
  private(set) var looks = 0
  private(set) var completed = 0
  /// The wait of each started work item, by name.
  private(set) var waits = [Int: Nanoseconds]()
  /// The first violation of the invariant; nil if there is none.
  private(set) var violation: String?

  private(set) var now: Nanoseconds = 0
  private var events = DeadlineQueue<Event>()
  private var line = FIFO<(length: Nanoseconds, name: Int, came: Nanoseconds)>()
  private var random: SplitMix64
  private let wake: ClosedRange<Nanoseconds>
  private let lateness: ClosedRange<Nanoseconds>

  init(width: Int, limit: Int = 128, isSlow: Bool = false, seed: UInt64 = 1) {
    policy = WorkerPolicy(width: width, limit: limit)
    random = SplitMix64(seed: seed)
    wake = isSlow ? 200_000...1_200_000 : 30_000...90_000
    lateness = isSlow ? 0...1_500_000 : 0...0
  }

  mutating func add(_ name: Int, at instant: Nanoseconds, length: Nanoseconds) {
    plan(.piece(length: length, name: name), at: instant)
  }

  /// Lets a crowd come between two instants.
  mutating func hold(from start: Nanoseconds, to end: Nanoseconds) {
    plan(.hold, at: start)
    plan(.release, at: end)
  }

  /// Runs until no event is left, or up to an instant.
  mutating func run(until end: Nanoseconds = .max - 1) {
    while events.earliest.nanoseconds <= end,
      let event = events.popDue(at: PacingInstant(nanoseconds: end), takingTime: &now)
    {
      perform(event)
      mostThreads = max(mostThreads, policy.busy + policy.called)
      check()
    }
  }

  private mutating func perform(_ event: Event) {
    switch event {
    case .piece(let length, let name):
      line.append((length, name, now))
      act(policy.added())
    case .hold: policy.held()
    case .release: act(policy.released())
    case .arrival: take(policy.arrived())
    case .end(let length):
      completed += 1
      take(policy.ended(after: length))
    case .look:
      looks += 1
      act(policy.looked())
    }
  }

  private mutating func take(_ answer: (takes: Bool, step: WorkerPolicy.Step)) {
    if answer.takes, let piece = line.popFirst() {
      waits[piece.name] = now - piece.came
      plan(.end(length: piece.length), at: now + piece.length)
    }
    act(answer.step)
  }

  private mutating func act(_ step: WorkerPolicy.Step) {
    for _ in 0..<step.calls {
      wakes += 1
      plan(.arrival, at: now + .random(in: wake, using: &random))
    }
    if step.mustLook {
      plan(.look, at: now + WorkerPolicy.interval + .random(in: lateness, using: &random))
    }
  }

  private mutating func plan(_ event: Event, at instant: Nanoseconds) {
    _ = events.schedule(event, at: PacingInstant(nanoseconds: instant))
  }

  private mutating func check() {
    let isServed =
      policy.called > 0 || policy.isLooking || policy.busy == policy.limit || policy.holds > 0
    let isRight =
      policy.waiting == line.count && (line.isEmpty || isServed)
      && policy.busy >= 0 && policy.called >= 0 && policy.busy + policy.called <= policy.limit
    if !isRight, violation == nil { violation = "\(now): \(policy)" }
  }
}

extension DeadlineQueue {
  /// Pops the payload of the earliest entry; `now` becomes its deadline.
  fileprivate mutating func popDue(
    at end: PacingInstant, takingTime now: inout Nanoseconds
  ) -> Payload? {
    let instant = earliest
    guard let payload = popDue(at: end)?.payload else { return nil }
    now = instant.nanoseconds
    return payload
  }
}
