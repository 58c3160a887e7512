import Pacing

/// `pace retry`: a command, until it succeeds.
struct RetryCommand: Command {
  static let name = "retry"
  static let summary = "run a command until it succeeds, with growing pauses"
  static let grammar = Grammar(
    flags: ["--quiet"],
    options: [
      "--attempts": "a number of attempts", "--backoff": "a duration, or two as in 100ms..10s",
      "--jitter": Choice.jitters.grammar, "--deadline": "a duration",
    ],
    takesCommand: true)
  static let help = """
    pace retry: run a command until it succeeds, with growing pauses.

    usage: pace retry [<option> …] [--] <command> …

      --attempts <n>                     the maximum number of attempts (5)
      --backoff <duration>..<duration>   the first pause, doubled for each further one, up to the
                                         second duration (100ms..10s)
      --backoff <duration>               the same pause each time
      --jitter none|full|equal|decorrelated
                                         the randomness of the pauses (none); full is best if many
                                         clients retry at the same time
      --deadline <duration>              no attempt starts later than this after the first; one
                                         that is running is not stopped
      --quiet                            do not report on standard error what pace waits for

    An exit status other than 0 is a failure. The status is the last attempt's, 128+n if signal n
    ended it. A command that does not exist (127) or cannot be executed (126) is not retried.
    SIGINT and SIGTERM are passed on to a running command, and end the attempts: the status is 130
    or 143, or 0 if the command succeeds nevertheless. All attempts share one standard input.

        pace retry --deadline 30s curl -fsS http://localhost:8080/health

    """

  /// The failure of an attempt.
  private enum Failure: Error {
    case exited(ExitStatus)
    case notRun(CommandError)

    /// A command that could not start will not start the next time.
    var isWorthRetrying: Bool {
      if case .exited = self { true } else { false }
    }
  }

  private let backoff: Backoff
  private let maximumAttempts: Int
  private let deadline: Duration?
  private let isQuiet: Bool
  private let command: ChildCommand

  init(_ arguments: Arguments) throws(CommandError) {
    let delays = try arguments.value(of: "--backoff", BackoffText.parse)
    let jitter = try arguments.value(of: "--jitter", Choice.jitters.parse) ?? .none
    backoff = (delays ?? .standard).backoff.jittered(jitter)
    maximumAttempts = try arguments.value(of: "--attempts", CountText.parse) ?? 5
    deadline = try arguments.value(of: "--deadline", DurationText.parse)
    isQuiet = arguments.has("--quiet")
    command = ChildCommand(words: arguments.command)
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    let ending = OneShot<String>()
    let countdown = Countdown(isWanted: !isQuiet)
    let policy = RetryPolicy(
      backoff: backoff, maximumAttempts: maximumAttempts, maximumDuration: deadline,
      retryIf: { ($0 as? Failure)?.isWorthRetrying ?? false },
      onGiveUp: { ending.resolve(Self.sentence(for: $0)) }
    ).afterAttempt { report in
      guard let next = report.next, !isQuiet else { return }
      session.say(sentence(for: report, before: next), by: "pace retry")
      countdown?.begin(
        "attempt \(next.number)", until: DispatchClock().now.advanced(by: next.delay))
    }.beforeAttempt { _ in
      countdown?.end()
    }
    defer { countdown?.end() }
    do throws(Failure) {
      try await session.untilInterrupted { () async throws(Failure) in
        try await retry(policy) { _ async throws(Failure) in try await attempt(in: session) }
      }
      return .success
    } catch {
      switch error {
      case .notRun(let error):
        throw error
      case .exited(let status):
        if let cause = session.interruption.cause { throw cause.error }
        throw CommandError("\(await ending.outcome()); status \(status.rawValue)", status: status)
      }
    }
  }

  private func attempt(in session: Session) async throws(Failure) {
    let status: ExitStatus
    do {
      status = try await session.run(command)
    } catch {
      throw .notRun(error)
    }
    guard status == .success else { throw .exited(status) }
  }

  private func sentence(for report: AttemptReport, before next: Attempt) -> String {
    let (number, delay) = (report.attempt.number, DurationText.text(of: next.delay))
    guard case .exited(let status) = report.error as? Failure else {
      return "attempt \(number) of \(maximumAttempts) failed; the next one in \(delay)"
    }
    return """
      attempt \(number) of \(maximumAttempts) ended with status \(status.rawValue); the next one in \
      \(delay)
      """
  }

  private static func sentence(for end: GiveUp) -> String {
    let attempts = end.attempts == 1 ? "1 attempt" : "\(end.attempts) attempts"
    let reason = end.neededDelay.map { delay in
      ", since the next pause, \(DurationText.text(of: delay)), outlasts the deadline"
    }
    return "gave up after \(attempts)\(reason ?? "")"
  }
}
