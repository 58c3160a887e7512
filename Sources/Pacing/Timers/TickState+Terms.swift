extension TickState {
  /// What few schedules have: the others pay for one word.
  final class Terms: Sendable {
    let first: FirstTick
    let missed: MissedTicks
    let divisor: Int
    let jitter: Nanoseconds

    init(_ schedule: TickSchedule) {
      first = schedule.first
      missed = schedule.missed
      divisor = schedule.divisor
      jitter = schedule.jitter
    }
  }
}

extension TickSchedule {
  /// Whether it has nothing but a period and a count.
  var isPlain: Bool {
    first == .afterPeriod && missed == .skip && divisor == 1 && jitter == 0
  }
}
