import Pacing

/// `pace throttle`: one line in each window of time.
struct ThrottleCommand: Command {
  static let name = "throttle"
  static let summary = "write at most one line in each window of time, while they keep coming"
  static let grammar = Grammar(
    words: ["the window"], options: ["--edges": "leading, trailing or both"])
  static let help = """
    pace throttle: write at most one line in each window of time, while they keep coming.

    usage: pace throttle <duration> [--edges leading|trailing|both]

      <duration>           how long a window is; each line that is written opens one
      --edges leading      write the line that opens a window, drop those inside it
      --edges trailing     write the last line of a window, at its end
      --edges both         both of these (the default)

    The other lines of a window are dropped. At the end of the input a line that is kept is
    written at its window's end. Lines are passed on byte for byte.

        tail -f access.log | pace throttle 1s

    """

  private let window: Duration
  private let edges: Edges

  init(_ arguments: Arguments) throws(CommandError) {
    window = try DurationText.parse(arguments.words[0])
    edges = try arguments.value(of: "--edges", Self.edges) ?? .both
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let filter = LineFilter(session)
    let throttler = Throttler<LineFilter.Item>(
      every: window, edges: edges, handler: filter.write)
    return try await filter.run(
      throttler.ticks(), send: { throttler.send($0) }, finish: { throttler.finish($0) })
  }

  private static func edges(_ text: String) throws(CommandError) -> Edges {
    switch text {
    case "leading": .leading
    case "trailing": .trailing
    case "both": .both
    default: throw .usage("\(text.quoted) is none of leading, trailing, both")
    }
  }
}
