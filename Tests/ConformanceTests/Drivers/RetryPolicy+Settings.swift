import Pacing

/// The settings of a case; a policy has others of its own.
typealias CaseSettings = Settings

extension RetryPolicy {
  /// A policy of these limits; none of them where they are nil.
  init(
    _ backoff: Backoff, maximumAttempts: Int? = nil, deadline: Duration? = nil,
    stop: Stop = .any, onGiveUp: @escaping @Sendable (GiveUp) -> Void = { _ in }
  ) throws(Obstacle) {
    do {
      try self.init(
        validating: backoff, maximumAttempts: maximumAttempts, deadline: deadline, stop: stop,
        onGiveUp: onGiveUp)
    } catch {
      throw .missing("rejection")
    }
  }

  /// The limits that a case asks for.
  init(limits config: CaseSettings, after backoff: Backoff = .none) throws(Obstacle) {
    try self.init(
      backoff, maximumAttempts: config.maximumAttempts, deadline: config.duration("max_elapsed"))
  }
}

extension Settings {
  /// How many attempts there are, the first included; nil where there is no limit.
  var maximumAttempts: Int? {
    get throws(Obstacle) {
      let retries = try count("max_retries")
      return try count("max_attempts") ?? retries.map { $0 < .max ? $0 + 1 : $0 }
    }
  }
}
