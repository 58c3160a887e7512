/// `pace man`: the manual page.
struct ManualCommand: Command {
  static let name = "man"
  static let summary = "print the manual page of pace"
  static let grammar = Grammar()
  static let help = """
    pace man: print the manual page of pace.

    usage: pace man

    The page consists of the texts that pace --help and pace help <command> print.

        pace man > pace.1 && man ./pace.1
        pace man | sudo tee /usr/local/share/man/man1/pace.1 > /dev/null

    """

  init(_ arguments: Arguments) {}

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    try session.output.write(Self.page(of: Pace.commands))
    return .success
  }

  /// The page, in the language of troff.
  static func page(of commands: [any Command.Type]) -> String {
    var lines = [".TH PACE 1 \"\" \"pace \(Pace.version)\"", ".SH NAME"]
    lines += ["pace \\- debounce, throttle, limit, repeat, retry and watch, in a shell"]
    lines += [".SH DESCRIPTION"] + block(Pace.help) + [".SH COMMANDS"]
    for command in commands { lines += [".SS \(command.name)"] + block(command.help) }
    lines += [".SH SIGNALS AND EXIT STATUS"] + block(Pace.details)
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text that is shown as it is.
  static func block(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return [".nf"] + lines.map(escaped) + [".fi"]
  }

  /// A line without a meaning for troff.
  private static func escaped(_ line: Substring) -> String {
    let text = String(line).replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("…", with: "...")
    return text.first == "." || text.first == "'" ? "\\&" + text : text
  }
}
