import Pacing

/// `pace watch`: a command, run after files have changed.
struct WatchCommand: Command {
  static let name = "watch"
  static let summary = "run a command whenever files have changed and are quiet again"
  static let grammar = Grammar(
    words: [Grammar.Value("a path", completion: .files)], repeatsLastWord: true,
    flags: ["--now", "--all", "--restart"],
    options: [
      "--debounce": "a duration", "--max": "a duration", "--ignore": "names separated by commas",
    ],
    takesCommand: true)
  static let help = """
    pace watch: run a command whenever files have changed and are quiet again.

    usage: pace watch <path> … [<option> …] -- <command> …

      <path>                  a file, or a directory with everything below it, now and later
      --debounce <duration>   how long nothing may change before the command runs (200ms)
      --max <duration>        run it at least this often while changes continue
      --now                   also run it at the start
      --restart               end a command that is still running, and start it again: for servers
      --ignore <names>        names below a directory that do not count, at any depth, nor what
                              is below them: separated by commas, with * and ?
      --all                   hidden files (.git, .build) and backups (x~) count too

    A word {} of the command is replaced by the changed paths, each a word. The environment
    variable PACE_CHANGED contains them too, one a line. A path that was removed is one of them. At
    the start, and after more changes than a command line can hold, they are the watched paths, or
    none if those are more than 128 KiB.

    The command never runs twice at the same time: changes while it runs cause one more run after
    it. Files that the command itself writes must therefore not count: watch other directories, or
    ignore them. With --restart the command and its children get SIGTERM, and after 5s SIGKILL,
    before it starts again; its standard input is empty.

    A file that an editor replaces is still watched, and so is a path that disappears and returns.
    A link below a directory is not followed. A command that fails is run again, and so is one that
    has run and cannot be started now, as while it is built. SIGINT and SIGTERM are passed on to a
    running command, and end pace with 130 or 143 after it; with --restart, what is left of it gets
    SIGKILL after 5s, or at a second signal. If nothing reads the output any more, or watching
    fails, pace ends the command with SIGTERM, and after 5s SIGKILL.

        pace watch Sources Tests --now -- swift test
        pace watch config --restart --now -- ./server
        pace watch Sources -- swift format lint {}
        pace watch notes.md --debounce 1s -- pandoc notes.md -o notes.html

    """

  private let paths: [Path]
  private let filter: NameFilter
  private let quietPeriod: Duration
  private let maximumWait: Duration?
  private let runsAtStart: Bool
  private let restarts: Bool
  private let command: [[UInt8]]

  init(_ arguments: Arguments) throws(CommandError) {
    paths = arguments.paths
    quietPeriod =
      try arguments.value(of: "--debounce", DurationText.parse) ?? .milliseconds(200)
    maximumWait = try arguments.value(of: "--max", DurationText.parse)
    filter = NameFilter(
      ignoring: arguments.bytes(of: "--ignore") ?? [], includesHidden: arguments.has("--all"))
    runsAtStart = arguments.has("--now")
    restarts = arguments.has("--restart")
    command = arguments.command
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let series = CommandSeries(count: nil, in: session, by: "pace \(Self.name)")
    // The handler lasts as long as the command, so the debouncer holds changes meanwhile, or
    // cancels the handler's task.
    let changes = Debouncer<ChangedPaths>(
      for: quietPeriod, maximumWait: maximumWait, keeping: .reducing { $0.adding($1) }
    ).handle(overlap: restarts ? .cancelPrevious : .keepLatest) { [command, restarts] changed in
      var child = ChangedPaths.command(command, for: changed.all)
      child.hasOwnGroup = restarts
      await series.run(child)
    }
    session.interruption.whenInterrupted { [restarts] in
      switch session.interruption.cause {
      case .failure(let error):
        // The command may take its time to end, or not write anything that fails.
        if let message = error.message { session.say(message, by: "pace watch") }
        series.stopRun(isTold: false)
      case .signal where restarts: series.stopRun(isTold: true)
      default: series.stop()
      }
    }
    try await session.watch(paths, ignoring: filter) { [roots = paths] paths in
      changes.send(ChangedPaths(paths, below: roots))
    }
    if runsAtStart {
      changes.send(ChangedPaths(below: paths))
      changes.flush()
    }
    let outcome = await series.outcome()
    changes.cancel()
    if let cause = session.interruption.cause {
      throw CommandError(nil, status: cause.error.status)
    }
    return try outcome.get()
  }
}
