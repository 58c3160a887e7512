import Pacing

/// The settings of a case, distinct from a policy's own `Settings`.
typealias CaseSettings = Settings

extension RetryPolicy {
  /// A policy with these limits; nil for no limit.
  init(
    _ backoff: Backoff, maximumAttempts: Int? = nil, maximumDuration: Duration? = nil,
    stop: Stop = .any, onGiveUp: @escaping @Sendable (GiveUp) -> Void = { _ in }
  ) throws(Obstacle) {
    guard maximumAttempts ?? 1 > 0, maximumDuration ?? .zero >= .zero else {
      throw .missing("rejection")
    }
    self.init(
      backoff: backoff, maximumAttempts: maximumAttempts, maximumDuration: maximumDuration,
      stop: stop, onGiveUp: onGiveUp)
  }

  /// The limits of a case.
  init(limits config: CaseSettings, after backoff: Backoff = .none) throws(Obstacle) {
    try self.init(
      backoff, maximumAttempts: config.maximumAttempts,
      maximumDuration: config.duration("max_elapsed"), stop: Stop(config))
  }
}

extension RetryPolicy.Stop {
  /// Which of the limits end a retry.
  init(_ config: CaseSettings) throws(Obstacle) {
    switch try config.word("stop") {
    case nil, "any", "never": self = .any
    case "all": self = .all
    default: throw .missing("stop")
    }
  }
}

extension Settings {
  /// The number of attempts including the first; nil for no limit.
  var maximumAttempts: Int? {
    get throws(Obstacle) {
      let retries = try count("max_retries")
      return try count("max_attempts") ?? retries.map { $0 < .max ? $0 + 1 : $0 }
    }
  }
}
