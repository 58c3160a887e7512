extension PollSchedule {
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
  }

  /// The schedule's settings.
  public var settings: Settings {
    Settings(
      period: Duration(nanoseconds: ticks.period), jitter: Duration(nanoseconds: ticks.jitter),
      backoff: backoff, hints: hints, seed: ticks.seed)
  }

  /// Makes a schedule from settings that are known only at run time.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - first: When the first poll is due.
  /// - Throws: ``ConfigurationError`` if the period is not positive, or the jitter is negative or
  ///   not shorter than the period.
  public init(
    validating settings: Settings, first: FirstTick = .now
  ) throws(ConfigurationError) {
    let (period, jitter) = (settings.period, settings.jitter)
    guard period > .zero else { throw ConfigurationError("every", period, must: "be positive") }
    guard jitter >= .zero, jitter < period else {
      throw ConfigurationError(
        "jitter", jitter, must: "be shorter than the period, and not negative")
    }
    self.init(
      every: period, first: first, jitter: jitter, slowing: settings.backoff, seed: settings.seed)
    hints = settings.hints
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
