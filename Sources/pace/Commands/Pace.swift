/// The tool as a whole: finds the command that is asked for, runs it, and says what went wrong.
enum Pace {
  static let version = "0.1.0"

  static let commands: [any Command.Type] = [
    DebounceCommand.self, ThrottleCommand.self, LimitCommand.self, EveryCommand.self,
    RetryCommand.self, WatchCommand.self, TourCommand.self,
  ]

  /// Does what the words after the program's name say.
  ///
  /// - Returns: the status to end the process with.
  static func run(_ words: [[UInt8]], in session: Session) async -> ExitStatus {
    let first = words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    do {
      guard let command = commands.first(where: { $0.name == first }) else {
        return try start(first, isAlone: words.count <= 1, in: session)
      }
      return try await run(command, words.dropFirst(), in: session)
    } catch {
      let name = commands.contains { $0.name == first } ? "pace \(first)" : "pace"
      report(error, by: name)
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

  /// Answers words that name no command.
  private static func start(
    _ word: String, isAlone: Bool, in session: Session
  ) throws(CommandError) -> ExitStatus {
    switch word {
    case "--help", "-h", "help":
      try session.output.write(help)
    case "--version":
      try session.output.write("pace \(version)\n")
    case "":
      throw .usage(isAlone ? "a command is missing" : "the command is an empty word")
    default:
      let kind = word.utf8.first == UInt8(ascii: "-") ? "option" : "command"
      throw .usage("unknown \(kind) \(word.quoted)")
    }
    return .success
  }

  /// One line on standard error; where that cannot be written either, the status has to do.
  private static func report(_ error: CommandError, by name: String) {
    guard let message = error.message else { return }
    let hint = error.status == .usage ? "; see \(name) --help" : ""
    try? Descriptor.standardError.write(Array("\(name): \(message)\(hint)\n".utf8)[...])
  }

  private static var help: String {
    let width = commands.map { $0.name.count }.max() ?? 0
    let list = commands.map { command in
      let padding = String(repeating: " ", count: width - command.name.count)
      return "  \(command.name)\(padding)   \(command.summary)\n"
    }
    return """
      pace: debounce, throttle, limit, repeat, retry and watch, in a shell.

      usage: pace <command> …

      \(list.joined())
      pace <command> --help says more about each; pace tour shows them all at work.

      A duration is a number and a unit: 300ms, 1.5s, 2m, 1h (ns, us, ms, s, m, h, d).
      Ctrl-C or SIGTERM: what was received is still written, then pace ends with 130 or 143; a
      second one ends it at once.

      exit status: 0 done; 64 the command line cannot be followed; 74 reading or writing failed;
      126, 127 the command cannot be executed, does not exist; 128+n signal n; 141 nobody reads
      the output any more.

      """
  }
}
