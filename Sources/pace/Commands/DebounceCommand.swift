import Pacing

/// `pace debounce`: the last line of a burst, once it is quiet.
struct DebounceCommand: Command {
  static let name = "debounce"
  static let summary = "write the last line of a burst, once it is quiet"
  static let grammar = Grammar(
    words: ["the quiet period"],
    options: ["--edges": Choice.edges.grammar, "--max": "a duration"])
  static let help = """
    pace debounce: write the last line of a burst, once it is quiet.

    usage: pace debounce <duration> [--edges leading|trailing|both] [--max <duration>]

      <duration>         the quiet period: how long no line may arrive before the last is written
      --edges trailing   write the last line of a burst when it is over (the default)
      --edges leading    write the first line of a burst at once
      --edges both       write both; a burst of one line is written once
      --max <duration>   write the newest line at least this often while lines keep arriving

    The other lines of a burst are dropped. At the end of the input, a pending line is written at
    once. Lines are written byte for byte.

        inotifywait -qmr src | pace debounce 300ms | while read -r _; do make; done

    """

  private let quietPeriod: Duration
  private let edges: Edges
  private let maximumWait: Duration?

  init(_ arguments: Arguments) throws(CommandError) {
    quietPeriod = try DurationText.parse(arguments.words[0])
    maximumWait = try arguments.value(of: "--max", DurationText.parse)
    edges = try arguments.value(of: "--edges", Choice.edges.parse) ?? .trailing
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let filter = LineFilter(session)
    let debouncer = Debouncer<LineFilter.Item>(
      for: quietPeriod, edges: edges, maximumWait: maximumWait, handler: filter.write)
    return try await filter.run(
      debouncer.ticks(), send: { debouncer.send($0) }, finish: { debouncer.finish($0) })
  }
}
