import Pacing

/// The settings of a timer in a case.
struct IntervalSettings {
  let period: Duration
  let first: Duration
  let missed: MissedTicks
  /// How long the consumer works on a tick.
  let busy: Duration?
  /// Whether an answer is the whole tick.
  let isFull: Bool

  /// A slack for late polls has no effect: the grid forgives less than one period.
  private static let keys: Set = [
    "period", "first", "missed", "report", "consumer_busy", "late_slack",
  ]

  /// More ticks than any scenario needs in one burst.
  private static let limit = 100_000.0

  init(_ config: Settings) throws(Obstacle) {
    try config.expectOnly(Self.keys)
    period = try config.required("period", config.duration("period"))
    guard period > .zero else { throw .missing("rejection") }
    first = try config.duration("first") ?? period
    missed = try MissedTicks(config)
    busy = try config.duration("consumer_busy")
    let report = try config.word("report")
    isFull = report == "full"
    guard isFull || report == nil else { throw .missing("report") }
  }

  /// The schedule of a timer that starts some time before the scenario.
  func schedule(early: Nanoseconds = 0) -> TickSchedule {
    .every(period, first: .after(first + Duration.nanoseconds(early)), missed: missed)
  }

  /// Restarts the grid, one period from now or at an instant.
  func reset(
    _ timer: DispatchTimer, to next: Nanoseconds?, on stage: Stage
  ) throws(Obstacle) {
    let next = next ?? stage.now.adding(Nanoseconds(roundingUp: period))
    try expectFew(in: stage.now.adding(next.negated))
    timer.reset(nextAt: PacingInstant(nanoseconds: next))
    stage.settle()
  }

  /// Checks that no burst makes up for more ticks than a run can hold.
  func expectFew(in span: Nanoseconds) throws(Obstacle) {
    guard missed == .burst, Duration.nanoseconds(span) / period >= Self.limit else { return }
    throw .broken("it ticks too often")
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
  /// The tick as an answer to a poll; with `isFull`, all of it.
  func answer(isFull: Bool, since origin: Nanoseconds) -> Answer {
    let scheduled = Answer.span(scheduled.nanoseconds.adding(-origin))
    guard isFull else { return scheduled }
    return .fields(["scheduled": scheduled, "index": .count(index), "missed": .count(missed)])
  }
}
