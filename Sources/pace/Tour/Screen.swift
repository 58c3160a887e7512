#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the output can show: how wide it is, whether it can be drawn over, in colour, in Unicode.
struct Screen: Equatable, Sendable {
  /// Whether lines can be drawn again in place: a terminal, and not one that only prints.
  var isDrawable = false

  /// How many characters fit on a line.
  var columns = 80

  var hasColour = false
  var hasUnicode = true

  /// The screen behind standard output, by the usual environment variables.
  static func standardOutput() -> Screen {
    var size = winsize()
    let isTerminal = isatty(Descriptor.standardOutput.number) == 1
    let isSized = ioctl(Descriptor.standardOutput.number, UInt(TIOCGWINSZ), &size) == 0
    return Screen(
      isTerminal: isTerminal, width: isSized && size.ws_col > 0 ? Int(size.ws_col) : nil,
      environment: OwnProcess.environment)
  }

  init() {}

  /// Decides from what the system says.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the output is a terminal.
  ///   - width: the terminal's own number of columns, where it has one.
  ///   - environment: the value of an environment variable.
  init(isTerminal: Bool, width: Int?, environment: (String) -> String?) {
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    let wanted = value("COLUMNS").flatMap { Int($0) } ?? width ?? 80
    columns = min(max(wanted, 24), 100)
    isDrawable = isTerminal && value("TERM") != nil && value("TERM") != "dumb"
    hasColour = isDrawable && value("NO_COLOR") == nil
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? ""
    let encoding = locale.uppercased().filter { $0.isLetter || $0.isNumber }
    hasUnicode = encoding.hasSuffix("UTF8")
  }

  /// The text with the characters that the screen has.
  func spelled(_ text: String) -> String {
    guard !hasUnicode else { return text }
    let substitutes: [Character: String] = [
      "●": "*", "×": "x", "✓": "+", "␣": "_", "·": ".", "─": "-", "…": "...",
    ]
    return text.map { substitutes[$0] ?? String($0) }.joined()
  }
}
