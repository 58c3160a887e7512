/// When something is polled: at a period, with jitter, slower after failures, never two at a time.
///
/// ```swift
/// let schedule = PollSchedule(
///   every: .seconds(5), jitter: .milliseconds(500),
///   slowing: .exponential(from: .seconds(10)).capped(at: .seconds(300)))
/// for await poll in schedule.results({ try await fetchStatus() }) { show(poll.result) }
/// ```
///
/// A period of three steps; `!` is a failure, after which the backoff waits for four steps and
/// eight:
///
///     server  oooooo!!!!!!!!!!ooooooooo
///     polls   o--o--!---!-------o--o--o
///
/// ## Timing
/// Polls are due on a grid, `start + k * period`, each up to `jitter` later. What falls due while a
/// poll runs is passed over, and counted in the next poll's `tick.missed`: the next poll comes at
/// the first instant of the grid that is left. After a failure the next poll comes after the
/// backoff's next delay, or on the grid if that is later; the grid restarts there, and the
/// backoff after a success. A delay that the server names counts in the same way, after a result
/// too. So nothing is polled faster than the period. A grid that begins at a time of the wall
/// clock follows it when it is set, and one that is `aligned` stays aligned after a backoff.
public struct PollSchedule: Sendable {
  /// What a schedule has that is not a closure, shared, or an instant: its settings as a value, for
  /// configuration and comparison.
  public struct Settings: Equatable, Codable, Sendable {
    /// The time from one poll to the next.
    public var period: Duration

    /// The most that each poll is late at random.
    public var jitter: Duration

    /// How long to wait after failures in a row.
    public var backoff: Backoff

    /// How a server's delay changes the schedule's.
    public var hints: HintPolicy

    /// The seed of the jitter's draws; nil for a random one.
    public var seed: UInt64?

    /// What is wrong with the settings; nil if nothing is.
    package var defect: ConfigurationError? {
      if period <= .zero { return ConfigurationError("period", period, must: "be positive") }
      guard jitter < .zero || jitter >= period else { return nil }
      return ConfigurationError(
        "jitter", jitter, must: "be shorter than the period, and not negative")
    }
  }

  let ticks: TickSchedule
  let backoff: Backoff
  private(set) var hints = HintPolicy.obeyed
  private(set) var advice: @Sendable (any Error) -> RetryAdvice? = { _ in nil }
  private(set) var limit: (any AwaitableLimit)?

  /// Makes a schedule.
  ///
  /// - Parameters:
  ///   - period: The time from one poll to the next.
  ///   - first: When the first poll is due; immediately unless specified otherwise.
  ///   - jitter: The most that each poll is late at random, so that many pollers that began
  ///     together do not poll together; the grid stays.
  ///   - backoff: How long to wait after failures in a row; polling ends if it ends.
  ///   - seed: The seed of the jitter's draws, the same draws in every run; nil for a random one.
  /// - Precondition: `period` is positive; `jitter` is not negative, and shorter than the period.
  public init(
    every period: Duration, first: FirstTick = .now, jitter: Duration = .zero,
    slowing backoff: Backoff = .none, seed: UInt64? = nil
  ) {
    ticks = .every(period, first: first, jitter: jitter, seed: seed)
    self.backoff = backoff
  }

  /// Makes a schedule from settings, such as decoded ones, whose decoding throws for invalid
  /// values.
  ///
  /// - Precondition: As for `init(every:…)`.
  public init(_ settings: Settings, first: FirstTick = .now) {
    self.init(
      every: settings.period, first: first, jitter: settings.jitter, slowing: settings.backoff,
      seed: settings.seed)
    hints = settings.hints
  }

  /// The schedule's settings.
  public var settings: Settings {
    Settings(
      period: Duration(nanoseconds: ticks.period), jitter: Duration(nanoseconds: ticks.jitter),
      backoff: backoff, hints: hints, seed: ticks.seed)
  }

  /// This schedule with another rule for the delays that a server names.
  public func obeying(_ hints: HintPolicy) -> PollSchedule {
    changing(self) { $0.hints = hints }
  }

  /// This schedule with advice on errors; nil for the error's own.
  public func advised(
    by advice: @escaping @Sendable (any Error) -> RetryAdvice?
  ) -> PollSchedule {
    changing(self) { $0.advice = advice }
  }

  /// This schedule within a limit that others may share: each poll takes a token, and waits for
  /// its turn.
  ///
  /// The limit follows the same clock. A poll that it refuses is missed, whatever it throws; only
  /// closing it, an ``AcquireError/closed``, ends the polling.
  public func limited(by limit: some AwaitableLimit) -> PollSchedule {
    changing(self) { $0.limit = limit }
  }
}

extension PollSchedule.Settings {
  /// Decodes settings.
  ///
  /// - Throws: `DecodingError`, also for values that no schedule can have.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    period = try values.decode(Duration.self, forKey: .period)
    jitter = try values.decode(Duration.self, forKey: .jitter)
    backoff = try values.decode(Backoff.self, forKey: .backoff)
    hints = try values.decode(HintPolicy.self, forKey: .hints)
    seed = try values.decodeIfPresent(UInt64.self, forKey: .seed)
    try DecodingError.wrapping(at: decoder.codingPath) { [defect] in
      if let defect { throw defect }
    }
  }
}

extension PollSchedule: CustomStringConvertible {
  /// A line for a log: "every 5 s, up to 500 ms later; after failures exponential from 10 s".
  public var description: String {
    let spread = ticks.jitter > 0 ? ", up to \(ticks.jitter.shortText) later" : ""
    let slowing = backoff == .none ? "" : "; after failures \(backoff)"
    return "every \(ticks.period.shortText)\(spread)\(slowing)"
  }
}
