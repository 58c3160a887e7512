/// What a poller has done since it was made.
public struct PollStatistics: Hashable, Sendable {
  /// How many polls have begun.
  public internal(set) var polls = 0

  /// How many polls have failed.
  public internal(set) var failures = 0

  /// How many ticks brought no poll before the last one: one was still running, the handler was, or
  /// the limit refused it.
  public internal(set) var missed = 0

  /// How many polls the limit refused.
  public internal(set) var refused = 0

  /// Makes the statistics of a poller that has done nothing yet, for a test.
  public init(polls: Int = 0, failures: Int = 0, missed: Int = 0, refused: Int = 0) {
    self.polls = polls
    self.failures = failures
    self.missed = missed
    self.refused = refused
  }
}
