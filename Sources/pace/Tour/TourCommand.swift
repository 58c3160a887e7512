import Diagrams

/// `pace tour`: each tool at work on recorded events, in about ten seconds.
struct TourCommand: Command {
  static let name = "tour"
  static let summary = "show five tools of the library at work, in ten seconds"
  static let grammar = Grammar(options: [
    "--svg": Grammar.Value("the path of a file", completion: .files)
  ])
  static let help = """
    pace tour: show five tools of the library at work, in ten seconds.

    usage: pace tour [--svg <file>]

      --svg <file>   also draw what happened, as a picture, when it is over

    Plays short traces of events to a debouncer, a throttler, a token bucket, retries and timers,
    and draws what goes in and what comes out while it happens. If the output is not a terminal,
    the tour prints plain lines. NO_COLOR is honoured.

    """

  private static let scenes: [any Scene] = [
    DebounceScene(), ThrottleScene(), LimitScene(), RetryScene(), TimerScene(),
  ]

  private let path: Path?

  init(_ arguments: Arguments) throws(CommandError) {
    path = arguments.bytes(of: "--svg").map { Path($0) }
    if path?.bytes == [] { throw .usage("--svg: an empty path") }
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let stage = Stage(
      screen: .standardOutput(), output: session.output,
      longestName: Self.scenes.flatMap(\.lanes).map(\.count).max() ?? 0)
    // Opened first: a file that cannot be written is an error now, not when the tour is over.
    let file = try path.map(PictureFile.init)
    do {
      let diagrams = try await session.untilInterrupted { () async throws in
        try await play(on: stage)
      }
      try file?.write(diagrams)
    } catch let error as CommandError {
      throw error
    } catch {
      // Cancellation is the tour's only other error.
      throw session.interruption.cause?.error ?? .outputAbandoned
    }
    return .success
  }

  private func play(on stage: Stage) async throws -> [Diagram] {
    var diagrams = [Diagram]()
    var lines = [(title: String, summary: String)]()
    for scene in Self.scenes {
      let recorder = try await stage.play(scene)
      lines.append((scene.title, scene.summary(of: recorder)))
      diagrams.append(scene.diagram(of: recorder.all))
    }
    try stage.write("Received and delivered", as: .title)
    let width = lines.map(\.title.count).max() ?? 0
    for (title, summary) in lines {
      let padding = String(repeating: " ", count: width + 2 - title.count)
      try stage.write(summary, as: .text, beside: title + padding)
    }
    return diagrams
  }
}
