#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The capabilities of the output: its width, redrawing, colours, Unicode.
struct Screen: Equatable, Sendable {
  /// Whether lines can be redrawn in place: on a terminal that is not a printer.
  var isDrawable = false

  /// The number of characters on a line.
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

  /// Creates a screen.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the output is a terminal.
  ///   - width: The terminal's number of columns, if it is known.
  ///   - environment: The value of an environment variable.
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

  /// The text in the characters that the screen can show.
  func spelled(_ text: String) -> String {
    guard !hasUnicode else { return text }
    let substitutes: [Character: String] = [
      "●": "*", "×": "x", "✓": "+", "␣": "_", "·": ".", "─": "-", "…": "...",
    ]
    return text.map { substitutes[$0] ?? String($0) }.joined()
  }
}
