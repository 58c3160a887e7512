import Pacing

/// The backoff of a case, and its limits.
struct BackoffSettings {
  private let plain: Backoff
  private let jitter: Jitter

  /// The limits of the run.
  let policy: RetryPolicy

  /// Rounding and counting are specific to a source; a time limit does not affect the delays.
  private static let keys: Set = [
    "policy", "base", "factor", "max", "jitter", "jitter_ratio", "max_retries", "max_attempts",
    "max_elapsed", "samples", "rounding", "exponent_from", "increment", "delays",
  ]

  init(_ config: Settings) throws(Obstacle) {
    try config.expectOnly(Self.keys)
    policy = try RetryPolicy(limits: config)
    jitter = try Jitter(config)
    var plain = try Backoff(shape: config)
    let cap = try config.cap
    self.plain = try Obstacle.accepted { () throws(ConfigurationError) in
      if let cap { plain = try plain.checked(cap: cap) }
      return plain
    }
  }

  /// The backoff, with deterministic draws.
  func backoff(seed: UInt64 = 0) -> Backoff { plain.jittered(jitter, seed: seed) }
}

extension Backoff {
  /// The delays of a case, before the cap and jitter.
  fileprivate init(shape config: Settings) throws(Obstacle) {
    switch try config.word("policy") {
    case "none": self = .none
    case "fixed": self = try .init(exponential: config, factor: 1)
    case "exponential": self = try .init(exponential: config, factor: config.number("factor") ?? 2)
    case "linear":
      let base = try config.required("base", config.duration("base"))
      let increment = try config.required("increment", config.duration("increment"))
      self = try Obstacle.accepted { () throws(ConfigurationError) in
        try Backoff.checked(linear: base, by: increment)
      }
    case "list": try self.init(delays: config)
    default: throw .missing("policy")
    }
  }

  private init(exponential config: Settings, factor: Double) throws(Obstacle) {
    let base = try config.required("base", config.duration("base"))
    do {
      self = try .checked(exponential: base, factor: factor)
    } catch {
      throw .missing("rejection")
    }
  }
}

extension Settings {
  /// The longest delay; unlimited if it is described in words.
  fileprivate var cap: Duration? {
    get throws(Obstacle) {
      if values["max"]?.text != nil { return Duration.nanoseconds(Nanoseconds.never) }
      return try duration("max")
    }
  }
}

extension Jitter {
  fileprivate init(_ config: Settings) throws(Obstacle) {
    switch try config.word("jitter") {
    case nil, "none": self = .none
    case "full": self = .full
    case "equal": self = .equal
    case "decorrelated": self = .decorrelated
    case "plus_minus":
      let ratio = try config.required("jitter_ratio", config.number("jitter_ratio"))
      do {
        self = try .checked(ratio)
      } catch {
        throw .missing("rejection")
      }
    default: throw .missing("jitter")
    }
  }
}
