import Pacing

/// The backoff that a case asks for, and its limits.
struct BackoffSettings {
  private let plain: Backoff
  private let jitter: Jitter

  /// The limits of the run.
  let policy: RetryPolicy

  /// How a source rounds or counts is its own; a time limit says nothing about the delays.
  private static let keys: Set = [
    "policy", "base", "factor", "max", "jitter", "jitter_ratio", "max_retries", "max_attempts",
    "max_elapsed", "samples", "rounding", "exponent_from",
  ]

  init(_ config: Settings) throws(Obstacle) {
    if config.has("min") { throw .missing("minimum") }
    let policy = try config.word("policy")
    guard ["none", "fixed", "exponential"].contains(policy) else { throw .missing("policy") }
    if try config.word("jitter") == "additive" { throw .missing("additive-jitter") }
    try config.expectOnly(Self.keys)
    jitter = try Jitter(config)
    self.policy = try RetryPolicy(limits: config)
    guard policy != "none" else {
      plain = .none
      return
    }
    let base = try config.required("base", config.duration("base"))
    let factor = policy == "fixed" ? 1 : try config.number("factor") ?? 2
    let cap = try config.cap
    do {
      plain = try Backoff(validating: base, factor: factor, cap: cap)
    } catch {
      throw .missing("rejection")
    }
  }

  /// The backoff, with draws that are the same in every run.
  func backoff(seed: UInt64 = 0) -> Backoff { plain.jittered(jitter, seed: seed) }
}

extension Settings {
  /// The longest delay; one that is described in words is the longest that there is.
  fileprivate var cap: Duration? {
    get throws(Obstacle) {
      if values["max"]?.text != nil { return Duration(nanoseconds: .never) }
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
        try self.init(validatingProportion: ratio)
      } catch {
        throw .missing("rejection")
      }
    default: throw .missing("jitter")
    }
  }
}
