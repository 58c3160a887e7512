import Pacing
import PacingTesting

/// Plays scenarios to a `DispatchTimer`, either polled for its next tick or observed.
struct IntervalDriver: Driver {
  /// A slack for late polls has no effect: the grid forgives less than one period.
  private static let keys: Set = [
    "period", "first", "missed", "report", "consumer_busy", "late_slack",
  ]

  /// The instant at which a polled scenario starts.
  private static let origin: Nanoseconds = 1

  /// More ticks than any scenario needs in one burst.
  private static let limit = 100_000.0

  func run(_ scenario: Scenario) throws -> Outcome {
    let config = scenario.config
    let calls = try scenario.steps.map { step throws(Obstacle) in
      guard case .call(let call) = step.event else { throw .malformed("a value for a timer") }
      return call
    }
    if calls.contains(where: { $0.name == "create" }) { throw Obstacle.missing("rejection") }
    try config.expectOnly(Self.keys)
    let period = try config.required("period", config.duration("period"))
    guard period > .zero else { throw Obstacle.missing("rejection") }
    let first = try config.duration("first") ?? period
    let missed = try MissedTicks(config)
    if calls.contains(where: { $0.name == "poll" }) {
      // Starting delivers ticks that are due, so the timer starts before the scenario.
      let early = first + Duration(nanoseconds: Self.origin)
      let schedule = TickSchedule.every(period, first: .after(early), missed: missed)
      return try poll(schedule, period, scenario)
    }
    return try listen(
      to: TickSchedule.every(period, first: .after(first), missed: missed), scenario)
  }

  // MARK: Asking

  /// No timer runs between two polls, so a tick is late until it is polled.
  private func poll(
    _ schedule: TickSchedule, _ period: Duration, _ scenario: Scenario
  ) throws -> Outcome {
    let stage = Stage()
    let isBurst = try MissedTicks(scenario.config) == .burst
    let isFull = try scenario.config.word("report") == "full"
    let ticks = Locked([Tick]())
    // A burst delivers every missed tick.
    let last = Duration(nanoseconds: scenario.steps.last?.time ?? 0)
    func expectFew(since first: Duration) throws(Obstacle) {
      guard !isBurst || (last - first) / period < Self.limit else {
        throw .broken("it ticks too often")
      }
    }
    try expectFew(since: .zero)
    let timer = DispatchTimer(schedule, clock: stage.clock) { tick in
      ticks.withLock { $0.append(tick) }
    }
    timer.start()
    var outcome = Outcome()
    for step in scenario.steps {
      guard case .call(let call) = step.event else { continue }
      let time = step.time.adding(Self.origin)
      stage.lapse(to: time)
      switch call.name {
      case "poll":
        try call.expectOnly([])
        try stage.advance(to: time)
        // Each poll takes one tick of a burst.
        let tick = ticks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        let answer = tick.map { $0.answer(isFull, since: Self.origin) } ?? .text("pending")
        outcome.rows.append(Outcome.Row(at: step.stated, answer, step: step.index))
      case "reset":
        try call.expectOnly(["next"])
        let next = try call.nanoseconds("next")?.adding(Self.origin)
        if let next { try expectFew(since: Duration(nanoseconds: next)) }
        ticks.withLock { $0 = [] }
        timer.reset(
          nextAt: next.map(PacingInstant.init(nanoseconds:))
            ?? stage.clock.now.advanced(by: period))
        stage.settle()
      case "cancel":
        timer.cancel()
        ticks.withLock { $0 = [] }
      default:
        throw Obstacle.missing(call.name)
      }
    }
    return outcome
  }

  // MARK: Listening

  private func listen(to schedule: TickSchedule, _ scenario: Scenario) throws -> Outcome {
    let stage = Stage()
    let clock = stage.clock
    let record = Record(clock)
    let busy = try scenario.config.duration("consumer_busy")
    let timer = DispatchTimer(schedule, clock: clock)
    let ticks = timer.ticks()
    timer.start()
    let consumer = stage.start {
      for await _ in ticks {
        record.note(.text("tick"))
        if let busy { try? await clock.sleep(for: busy) }
      }
    }
    for step in scenario.steps {
      guard case .call(let call) = step.event, call.name == "cancel" || call.name == "leave" else {
        throw Obstacle.missing("listening")
      }
      try stage.approach(step.time)
      consumer.cancel()
      timer.cancel()
    }
    try stage.play(until: scenario.horizon)
    return Outcome(rows: record.all)
  }
}

extension MissedTicks {
  fileprivate init(_ config: Settings) throws(Obstacle) {
    switch try config.word("missed") {
    case nil, "skip": self = .skip
    case "coalesce": self = .coalesce
    case "delay": self = .delay
    case "burst": self = .burst
    default: throw .missing("missed")
    }
  }
}

extension Tick {
  fileprivate func answer(_ isFull: Bool, since origin: Nanoseconds) -> Answer {
    let scheduled = Answer.span(scheduled.nanoseconds.adding(-origin))
    guard isFull else { return scheduled }
    return .fields(["scheduled": scheduled, "index": .count(index), "missed": .count(missed)])
  }
}
