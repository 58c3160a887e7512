import Pacing

/// `pace throttle`: one line in each window of time.
struct ThrottleCommand: Command {
  static let name = "throttle"
  static let summary = "write at most one line in each window of time"
  static let grammar = Grammar(
    words: ["the window"], options: ["--edges": Choice.edges.grammar])
  static let help = """
    pace throttle: write at most one line in each window of time.

    usage: pace throttle <duration> [--edges leading|trailing|both]

      <duration>         the length of a window; each line that is written starts one, and so
                         does the first line after a pause
      --edges leading    write the line that starts a window, drop those inside it
      --edges trailing   write the last line of a window, at its end
      --edges both       write both (the default)

    The other lines of a window are dropped. At the end of the input, a pending line is written at
    the end of its window. Lines are written byte for byte.

        tail -f access.log | pace throttle 1s

    """

  private let window: Duration
  private let edges: Edges

  init(_ arguments: Arguments) throws(CommandError) {
    window = try DurationText.parse(arguments.words[0])
    edges = try arguments.value(of: "--edges", Choice.edges.parse) ?? .both
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let filter = LineFilter(session)
    let throttler = Throttler<LineFilter.Item>(
      every: window, edges: edges, handler: filter.write)
    return try await filter.run(
      throttler.ticks(), send: { throttler.send($0) }, finish: { throttler.finish($0) })
  }
}
