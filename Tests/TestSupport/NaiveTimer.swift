import Pacing

/// A timer that walks its grid step by step, as an oracle: nothing is divided or calculated ahead.
struct NaiveTimer {
  enum Policy: CaseIterable {
    case skip, coalesce, delay, burst, burst1, burst3

    var limit: Int {
      switch self {
      case .coalesce, .burst1: 1
      case .burst3: 3
      default: .max
      }
    }

    var missed: MissedTicks {
      switch self {
      case .skip: .skip
      case .coalesce: .coalesce
      case .delay: .delay
      case .burst: .burst
      case .burst1, .burst3: .burst(limit: limit)
      }
    }
  }

  let policy: Policy
  var period: Int
  var phase = DispatchTimer.State.idle
  var next = 0
  private var index = 0
  private var passedOver = 0
  private var asked: Int?
  private var kept: Int?

  init(_ policy: Policy, period: Int) {
    self.policy = policy
    self.period = period
  }

  /// All ticks delivered at `now`, in order.
  mutating func due(at now: Int) -> [Tick] {
    var ticks = [Tick]()
    while let tick = nextDue(at: now) { ticks.append(tick) }
    return ticks
  }

  /// The one tick delivered at `now` while its handler has not ended.
  mutating func nextDue(at now: Int) -> Tick? {
    let grid = phase == .running ? next : Int.max
    if let instant = asked, instant < grid {
      asked = nil
      return handOut(instant, at: now)
    }
    return grid <= now ? onGrid(at: now) : nil
  }

  private mutating func onGrid(at now: Int) -> Tick {
    switch policy {
    case .skip:
      let tick = handOut(next, at: now)
      next += period
      while next <= now { passOver() }
      return tick
    case .delay:
      let isMissed = next + period <= now
      let tick = handOut(next, at: now)
      next = (isMissed ? now : next) + period
      return tick
    case .coalesce, .burst, .burst1, .burst3:
      while Array(stride(from: next, through: now, by: period)).count > policy.limit { passOver() }
      let tick = handOut(next, at: now)
      next += period
      return tick
    }
  }

  private mutating func passOver() {
    next += period
    index += 1
    passedOver += 1
  }

  private mutating func handOut(_ scheduled: Int, at now: Int) -> Tick {
    defer { (index, passedOver) = (index + 1, 0) }
    return Tick(index: index, scheduled: .at(scheduled), actual: .at(now), missed: passedOver)
  }

  mutating func start(at now: Int) -> Bool {
    guard phase == .idle || phase == .suspended else { return false }
    (phase, next) = (.running, now + (kept ?? period))
    kept = nil
    return true
  }

  mutating func resume(at now: Int) -> Bool { phase == .suspended && start(at: now) }

  mutating func suspend(keepingRemaining: Bool, at now: Int) -> Bool {
    guard phase == .running else { return false }
    phase = .suspended
    kept = keepingRemaining ? max(0, next - now) : nil
    return true
  }

  mutating func reschedule(every newPeriod: Int, at now: Int) -> Bool {
    guard phase != .finished else { return false }
    (period, next, kept) = (newPeriod, now + newPeriod, nil)
    return true
  }

  mutating func reset(nextAt instant: Int) -> Bool {
    guard phase == .running else { return false }
    (next, asked) = (instant, nil)
    return true
  }

  mutating func fireNow(at now: Int) -> Bool {
    guard phase != .finished else { return false }
    asked = asked ?? now
    return true
  }
}
