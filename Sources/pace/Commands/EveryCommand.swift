import Pacing

/// `pace every`: a command on a fixed grid of time.
struct EveryCommand: Command {
  static let name = "every"
  static let summary = "run a command at regular times that do not drift"
  static let grammar = Grammar(
    words: ["the period"], flags: ["--quiet"],
    options: ["--missed": Choice.missedTicks.grammar, "--count": "a number of runs"],
    takesCommand: true)
  static let help = """
    pace every: run a command at regular times that do not drift.

    usage: pace every <duration> [<option> …] [--] <command> …

      <duration>          the time from the start of one run to the next; the first is at once
      --count <n>         end after this many runs
      --missed <policy>   what happens to runs that were due while the command was still running:
          skip            one follows at once, then back to the grid (the default)
          coalesce        the same
          burst           each of them follows, back to back
          delay           one follows at once, and the grid starts again there
      --quiet             show no countdown in a terminal

    One run at a time. The status is the last run's, 128+n if signal n ended it; a command that
    fails is run again, and so is one that has run and cannot be started now. SIGINT and SIGTERM
    are passed on to a running command.

        pace every 5s --count 12 curl -fsS http://localhost:8080/health

    """

  private let period: Duration
  private let missed: MissedTicks
  private let count: Int?
  private let isQuiet: Bool
  private let command: ChildCommand

  init(_ arguments: Arguments) throws(CommandError) {
    period = try DurationText.parse(arguments.words[0])
    missed = try arguments.value(of: "--missed", Choice.missedTicks.parse) ?? .skip
    count = try arguments.value(of: "--count", CountText.parse)
    isQuiet = arguments.has("--quiet")
    command = ChildCommand(words: arguments.command)
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let series = CommandSeries(count: count, in: session, by: "pace \(Self.name)")
    let countdown = Countdown(isWanted: !isQuiet)
    let ofCount = count.map { " of \($0)" } ?? ""
    // The handler lasts as long as the command: the timer sees which ticks are missed meanwhile.
    let timer = DispatchTimer(.every(period, first: .now, missed: missed))
    timer.handle(with: timer) { [command] timer, _ in
      countdown?.end()
      guard let status = series.runAndBlock(command) else { return }
      let number = series.runs
      guard let next = timer.nextDeadline else { return }
      countdown?.begin(
        "run \(number) ended with status \(status.rawValue); run \(number + 1)\(ofCount)",
        until: next)
    }
    session.interruption.whenInterrupted { series.stop() }
    timer.start()
    let outcome = await series.outcome()
    timer.cancel()
    countdown?.end()
    if let cause = session.interruption.cause { throw cause.error }
    return try outcome.get()
  }
}
