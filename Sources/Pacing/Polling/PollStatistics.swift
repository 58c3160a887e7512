/// What a poller has done since it was made.
public struct PollStatistics: Hashable, Sendable {
  /// How many polls have begun.
  public internal(set) var polls = 0

  /// How many polls have failed.
  public internal(set) var failures = 0

  /// How many ticks before the last poll were passed over, because a poll or its handler was still
  /// running or the limit refused.
  public internal(set) var missed = 0

  /// How many polls the limit refused.
  public internal(set) var refused = 0

  /// Makes the counts, to test code that reads them.
  public init(polls: Int = 0, failures: Int = 0, missed: Int = 0, refused: Int = 0) {
    self.polls = polls
    self.failures = failures
    self.missed = missed
    self.refused = refused
  }
}

extension PollStatistics: CustomStringConvertible {
  /// All counts, for a log.
  public var description: String {
    "polls \(polls), failures \(failures), missed \(missed), refused \(refused)"
  }
}
