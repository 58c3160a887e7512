import Pacing
import PacingTesting

/// Plays scenarios to a `DispatchTimer`, either polled for its next tick or observed.
struct IntervalDriver: Driver {
  /// The instant at which a polled scenario starts.
  private static let origin: Nanoseconds = 1

  func run(_ scenario: Scenario) throws -> Outcome {
    let calls = try scenario.steps.map { step throws(Obstacle) in
      guard case .call(let call) = step.event else { throw .malformed("a value for a timer") }
      return (step, call)
    }
    if scenario.asks("create") { throw Obstacle.missing("rejection") }
    let settings = try IntervalSettings(scenario.config)
    guard scenario.asks("poll") else {
      return try listen(to: calls, settings, until: scenario.horizon)
    }
    return try poll(calls, settings)
  }

  /// Asks for ticks; no timer runs between two polls, so a tick is late until it is polled.
  private func poll(_ calls: [(Step, Call)], _ settings: IntervalSettings) throws -> Outcome {
    let stage = Stage()
    let ticks = Locked([Tick]())
    // A burst delivers every missed tick.
    try settings.expectFew(in: calls.last?.0.time ?? 0)
    // Starting delivers ticks that are due, so the timer starts before the scenario.
    let timer = DispatchTimer(
      settings.schedule(early: Self.origin), clock: stage.clock
    ) { tick in
      ticks.withLock { $0.append(tick) }
    }
    timer.start()
    var outcome = Outcome()
    for (step, call) in calls {
      let time = step.time.adding(Self.origin)
      stage.lapse(to: time)
      switch call.name {
      case "poll":
        try call.expectOnly([])
        try stage.advance(to: time)
        // Each poll takes one tick of a burst.
        let tick = ticks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        let answer =
          tick.map { $0.answer(isFull: settings.isFull, since: Self.origin) } ?? .text("pending")
        outcome.rows.append(Outcome.Row(at: step.stated, answer, step: step.index))
      case "reset":
        try call.expectOnly(["next"])
        let next = try call.nanoseconds("next")?.adding(Self.origin)
        let last = calls.last?.0.time ?? 0
        if let next { try settings.expectFew(in: last.adding(next.negated)) }
        ticks.withLock { $0 = [] }
        try settings.reset(timer, to: next, on: stage)
      case "cancel":
        timer.cancel()
        ticks.withLock { $0 = [] }
      case "stall":
        // Only polls run the timer.
        try call.expectOnly(["until"])
      default:
        throw Obstacle.missing(call.name)
      }
    }
    return outcome
  }

  /// Observes every tick with a handler, or the newest ones with a consumer that is slow.
  private func listen(
    to calls: [(Step, Call)], _ settings: IntervalSettings, until horizon: Nanoseconds?
  ) throws -> Outcome {
    let stage = Stage()
    let clock = stage.clock
    let record = Record(clock)
    let note: @Sendable (Tick) -> Void = { tick in
      record.note(settings.isFull ? tick.answer(isFull: true, since: 0) : .text("tick"))
    }
    let timer = DispatchTimer(settings.schedule(), clock: clock) { tick in
      if settings.busy == nil { note(tick) }
    }
    let ticks = timer.ticks()
    timer.start()
    let consumer = stage.start {
      guard let busy = settings.busy else { return }
      for await tick in ticks {
        note(tick)
        try? await clock.sleep(for: busy)
      }
    }
    for (step, call) in calls {
      if call.name == "stall" {
        let until = try call.required("until", call.nanoseconds("until"))
        try settings.expectFew(in: until.adding(step.time.negated))
        try stage.stall(from: step.time, by: call)
        continue
      }
      try stage.move(to: step.time, beforeWhatIsDue: true)
      switch call.name {
      case "reset":
        try call.expectOnly(["next"])
        try settings.reset(timer, to: call.nanoseconds("next"), on: stage)
      case "cancel", "leave":
        try call.expectOnly([])
        consumer.cancel()
        timer.cancel()
        stage.settle()
      default:
        throw Obstacle.missing(call.name)
      }
    }
    try stage.wakeUp()
    try stage.play(until: horizon)
    return Outcome(rows: record.all)
  }
}
