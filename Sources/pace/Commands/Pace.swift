/// The whole tool: finds the command, runs it, and reports errors.
enum Pace {
  static let version = "0.1.0"

  static let commands: [any Command.Type] = [
    DebounceCommand.self, ThrottleCommand.self, LimitCommand.self, EveryCommand.self,
    RetryCommand.self, WatchCommand.self, TourCommand.self, CompletionsCommand.self,
    ManualCommand.self,
  ]

  /// Runs the command that the words after the program's name specify.
  ///
  /// - Returns: The exit status of the process.
  static func run(_ words: [[UInt8]], in session: Session) async -> ExitStatus {
    let first = words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let command = command(named: first)
    do {
      guard let command else { return try start(words, in: session) }
      return try await run(command, words.dropFirst(), in: session)
    } catch {
      report(error, in: session, by: command.map { "pace \($0.name)" } ?? "pace")
      return error.status
    }
  }

  private static func run(
    _ command: any Command.Type, _ words: some Collection<[UInt8]>, in session: Session
  ) async throws(CommandError) -> ExitStatus {
    let arguments = try Arguments(words, by: command.grammar)
    guard !arguments.wantsHelp else {
      try session.output.write(command.help)
      return .success
    }
    return try await command.init(arguments).run(in: session)
  }

  private static func command(named name: String) -> (any Command.Type)? {
    commands.first { $0.name == name }
  }

  /// Handles a command line that does not start with a command.
  private static func start(
    _ words: [[UInt8]], in session: Session
  ) throws(CommandError) -> ExitStatus {
    let words = words.map { String(decoding: $0, as: UTF8.self) }
    guard let word = words.first else { throw .usage("a command is missing") }
    switch word {
    case "--help", "-h", "help":
      if let surplus = words.dropFirst(2).first {
        throw .usage("unexpected word \(surplus.quoted)")
      }
      try session.output.write(help(for: words.dropFirst().first))
    case "--version":
      if words.count > 1 { throw .usage("unexpected word \(words[1].quoted)") }
      try session.output.write("pace \(version)\n")
    case "":
      throw .usage("the command is an empty word")
    default:
      throw unknown(word)
    }
    return .success
  }

  private static func unknown(_ word: String) -> CommandError {
    .usage("unknown \(word.hasPrefix("-") ? "option" : "command") \(word.quoted)")
  }

  private static func help(for name: String?) throws(CommandError) -> String {
    guard let name, name != "--help", name != "-h" else { return help }
    guard let command = command(named: name) else { throw unknown(name) }
    return command.help
  }

  private static func report(_ error: CommandError, in session: Session, by name: String) {
    guard let message = error.message else { return }
    let hint = error.status == .usage ? "; see \(name) --help" : ""
    session.say(message + hint, by: name)
  }

  /// The text that `pace --help` prints: it fits a screen of 24 lines and 80 columns.
  static var help: String {
    let width = commands.map { $0.name.count }.max() ?? 0
    let list = commands.map { command in
      let padding = String(repeating: " ", count: width - command.name.count)
      return "  \(command.name)\(padding)   \(command.summary)\n"
    }
    return """
      pace: debounce, throttle, limit, repeat, retry and watch, in a shell.

      usage: pace <command> …

      \(list.joined())
      pace help <command> describes one of them, pace man all of them.

      A duration is a number and a unit (ns, us, ms, s, min, h, d): 300ms, 1.5s, 1h.
      Ctrl-C lets the received lines be written and a running command end; a second
      one ends pace at once. The exit status is 0, that of a command, 128+n after
      signal n, 64 for a command line that is not understood, or 74 if reading or
      writing failed.

      """
  }

  /// What the manual page adds to the texts of the commands.
  static let details = """
    Ctrl-C or SIGTERM: lines that were received are still written. A running command gets the
    signal too, and pace waits for it; then pace ends with status 130 or 143 (retry: 0 if its
    command succeeds nevertheless). A second signal ends pace at once; while a command runs it is
    only passed on to that, except by watch --restart, which kills the command.

    Exit status: 0 success; 64 the command line is not understood; 74 reading or writing failed;
    126 the command cannot be executed; 127 it does not exist; 128+n signal n; 141 nothing reads
    the output any more.

    """
}
