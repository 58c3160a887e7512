import Pacing

/// `pace limit`: every line, no faster than a rate.
struct LimitCommand: Command {
  static let name = "limit"
  static let summary = "write every line, no faster than a rate"
  static let grammar = Grammar(
    words: ["the rate"],
    options: ["--burst": "a number of lines", "--redis": "a URL of a Redis server"])
  static let help = """
    pace limit: write every line, no faster than a rate.

    usage: pace limit <n>/<time> [--burst <n>] [--redis <url>]

      <n>/<time>    the rate: 100/s, 5/min, 2.5/s, 10/200ms
      --burst <n>   how many lines may follow each other at once after a pause (1: lines are spaced
                    evenly; lines that are due within 1ms leave together)
      --redis <url> share the rate with every pace that has the same one, through a Redis or
                    Valkey server: redis://127.0.0.1:6379/name

    No line is lost: lines wait. pace reads ahead one line, two at 1/s or more, and the lines of
    the next 20ms, so a faster writer waits as well. After the end of the input it continues at
    its rate. Lines are written byte for byte. If the server of --redis cannot be reached, pace
    writes what it has read and ends with status 74.

        cat urls | pace limit 5/s --burst 10 | xargs -n 1 curl -fsSO

    """

  private let rate: Rate
  private let burst: Int
  private let address: RedisAddress?

  init(_ arguments: Arguments) throws(CommandError) {
    rate = try RateText.parse(arguments.words[0])
    burst = try arguments.value(of: "--burst", CountText.parse) ?? 1
    address = try arguments.value(of: "--redis", RedisAddress.parse)
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    try await session.block("pace.limit") { () throws(CommandError) in
      guard let address else { return try copy(in: session) }
      try SharedLines(rate: rate, burst: burst, at: address).copy(in: session)
    }
    if let cause = session.interruption.cause { throw cause.error }
    return .success
  }

  /// Copies lines until the input ends or the work is interrupted, on this thread: one wait covers
  /// the input, the next line and the interruption.
  private func copy(in session: Session) throws(CommandError) {
    var lines = LimitedLines(rate: rate, burst: burst)
    var input = session.input()
    while true {
      try session.output.write(lines.takeDue())
      if input.end == .interrupted { return try session.output.write(lines.takeAll()) }
      if input.end == .endOfInput, lines.delay == nil { return }
      do {
        let room = input.end == nil ? lines.room : 0
        lines.append(try input.read(atMost: room, within: lines.delay))
      } catch {
        throw .unreadableInput(error)
      }
      if input.end == .endOfInput { lines.finish() }
    }
  }
}
