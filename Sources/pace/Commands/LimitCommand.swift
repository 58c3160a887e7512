import Pacing

/// `pace limit`: every line, no faster than a rate.
struct LimitCommand: Command {
  static let name = "limit"
  static let summary = "write every line, no faster than a rate"
  static let grammar = Grammar(words: ["the rate"], options: ["--burst": "a number of lines"])
  static let help = """
    pace limit: write every line, no faster than a rate.

    usage: pace limit <n>/<time> [--burst <n>]

      <n>/<time>    so many lines in that time: 100/s, 5/m, 10/200ms
      --burst <n>   how many lines may follow each other at once after a pause (1: the lines are
                    spaced evenly; above some 1000/s a burst makes up for late timers)

    No line is lost: they wait. Nothing is read ahead of what may be written at once, except one
    line, so whoever writes into pace waits as well. After the end of the input it goes on at
    its rate. Lines are passed on byte for byte.

        cat urls | pace limit 5/s --burst 10 | xargs -n 1 curl -fsSO

    """

  private let rate: Rate
  private let burst: Int

  init(_ arguments: Arguments) throws(CommandError) {
    rate = try RateText.parse(arguments.words[0])
    burst = try arguments.value(of: "--burst", CountText.parse) ?? 1
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let bucket = TokenBucket(rate: rate, burst: burst)
    let lines = LineSource(session.lines())
    try await session.untilInterrupted { () async throws(CommandError) in
      // A line has a byte at least: no more lines are read than there are tokens, except one.
      while let line = try await lines.next(readingAhead: max(1, bucket.available)) {
        // Where the wait is interrupted, what has been read is written at once.
        try? await bucket.acquire()
        try session.output.write(line)
      }
    }
    if let cause = session.interruption.cause { throw cause.error }
    return .success
  }
}
