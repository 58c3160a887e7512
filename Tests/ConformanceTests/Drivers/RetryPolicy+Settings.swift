import Pacing

/// The settings of a case, distinct from a policy's own `Settings`.
typealias CaseSettings = Settings

extension RetryPolicy {
  /// A policy with these limits; nil for no limit.
  init(
    _ backoff: Backoff, maximumAttempts: Int? = nil, maximumDuration: Duration? = nil,
    onGiveUp: @escaping @Sendable (GiveUp) -> Void = { _ in }
  ) throws(Obstacle) {
    guard maximumAttempts ?? 1 > 0, maximumDuration ?? .zero >= .zero else {
      throw .missing("rejection")
    }
    self.init(
      backoff: backoff, maximumAttempts: maximumAttempts, maximumDuration: maximumDuration,
      onGiveUp: onGiveUp)
  }

  /// The limits of a case.
  init(limits config: CaseSettings, after backoff: Backoff = .none) throws(Obstacle) {
    try config.expectAnyLimitStops()
    try self.init(
      backoff, maximumAttempts: config.maximumAttempts,
      maximumDuration: config.duration("max_elapsed"))
  }
}

extension Settings {
  /// Requires that one of the limits is enough to end a retry.
  func expectAnyLimitStops() throws(Obstacle) {
    guard try [nil, "any", "never"].contains(word("stop")) else { throw .missing("stop") }
  }

  /// The number of attempts including the first, the lesser one of two; nil for no limit.
  var maximumAttempts: Int? {
    get throws(Obstacle) {
      let retries = try count("max_retries").map { $0 < .max ? $0 + 1 : $0 }
      return try [count("max_attempts"), retries].compactMap(\.self).min()
    }
  }
}
