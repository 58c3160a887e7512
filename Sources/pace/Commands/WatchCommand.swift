import Pacing

/// `pace watch`: a command, whenever files have changed.
struct WatchCommand: Command {
  static let name = "watch"
  static let summary = "run a command whenever files have changed and are quiet again"
  static let grammar = Grammar(
    words: ["a path"], repeatsLastWord: true, flags: ["--now", "--all"],
    options: [
      "--debounce": "a duration", "--max": "a duration", "--ignore": "names separated by commas",
    ],
    takesCommand: true)
  static let help = """
    pace watch: run a command whenever files have changed and are quiet again.

    usage: pace watch <path> … [<option> …] -- <command> …

      <path>                  a file, or a directory: everything below it, also what comes later
      --debounce <duration>   how long nothing may change before the command runs (200ms)
      --max <duration>        run it at least that often while things keep changing
      --now                   run it at the start as well
      --ignore <names>        what does not count below a directory, at any depth, nor what it
                              contains: names separated by commas, with * and ?
      --all                   hidden files (.git, .build) and backups (x~) count, too

    The command never runs twice at the same time: a change while it runs gives one more run after
    it. So what it writes itself must not count: watch other directories, or ignore it. A file that
    an editor replaces is still watched, and so is a path that goes and comes back. A link below a
    directory is not followed.

    A command that fails is run again all the same. SIGINT and SIGTERM are passed on to a command
    that runs, and end pace with 130 or 143.

        pace watch Sources Tests --now -- swift test
        pace watch notes.md --debounce 1s -- pandoc notes.md -o notes.html

    """

  private let paths: [Path]
  private let filter: NameFilter
  private let quietPeriod: Duration
  private let maximumWait: Duration?
  private let runsAtStart: Bool
  private let command: [[UInt8]]

  init(_ arguments: Arguments) throws(CommandError) {
    paths = arguments.words.map { Path($0) }
    quietPeriod =
      try arguments.value(of: "--debounce", DurationText.parse) ?? .milliseconds(200)
    maximumWait = try arguments.value(of: "--max", DurationText.parse)
    let ignored = try arguments.value(of: "--ignore") { text throws(CommandError) in text } ?? ""
    filter = NameFilter(ignoring: ignored, includesHidden: arguments.has("--all"))
    runsAtStart = arguments.has("--now")
    command = arguments.command
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let series = CommandSeries(command, count: nil, in: session)
    // The handler lasts as long as the command, so a debouncer holds what changes meanwhile.
    let changes = Debouncer<Void>(for: quietPeriod, maximumWait: maximumWait) { series.runOnce() }
    session.interruption.whenInterrupted { series.stop() }
    try await session.watch(paths, ignoring: filter) { changes.send() }
    if runsAtStart {
      changes.send()
      changes.flush()
    }
    let outcome = await series.outcome()
    changes.cancel()
    if let cause = session.interruption.cause { throw cause.error }
    return try outcome.get()
  }
}
