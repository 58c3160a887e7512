import Pacing

/// `pace every`: a command on a fixed grid of time.
struct EveryCommand: Command {
  static let name = "every"
  static let summary = "run a command again and again, on a grid of time that does not drift"
  static let grammar = Grammar(
    words: ["the period"],
    options: ["--missed": Choice.missedTicks.grammar, "--count": "a number of runs"],
    takesCommand: true)
  static let help = """
    pace every: run a command again and again, on a grid of time that does not drift.

    usage: pace every <duration> [--missed skip|burst|coalesce|delay] [--count <n>] -- <command> …

      <duration>          the time from one run's beginning to the next; the first is at once
      --count <n>         end after so many runs
      --missed <policy>   what happens to the runs that were due while the command still ran:
          skip            one of them follows at once, then back to the grid (the default)
          coalesce        the same, but it counts as the latest of them
          burst           each of them follows, back to back
          delay           one of them follows at once, and the grid begins anew there

    One run at a time. The status is the last run's, 128+n where signal n ended it; a command that
    fails is run again all the same. SIGINT and SIGTERM are passed on to a command that runs.

        pace every 5s --count 12 -- curl -fsS http://localhost:8080/health

    """

  private let period: Duration
  private let missed: MissedTicks
  private let count: Int?
  private let command: [[UInt8]]

  init(_ arguments: Arguments) throws(CommandError) {
    period = try DurationText.parse(arguments.words[0])
    missed = try arguments.value(of: "--missed", Choice.missedTicks.parse) ?? .skip
    count = try arguments.value(of: "--count", CountText.parse)
    command = arguments.command
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let series = CommandSeries(command, count: count, in: session)
    // The handler lasts as long as the command: the timer sees which ticks are missed meanwhile.
    let timer = DispatchTimer(.every(period, first: .now, missed: missed)) { _ in series.runOnce() }
    session.interruption.whenInterrupted { series.stop() }
    timer.start()
    let outcome = await series.outcome()
    timer.cancel()
    if let cause = session.interruption.cause { throw cause.error }
    return try outcome.get()
  }
}
