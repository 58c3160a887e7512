import Pacing

/// The rate, the burst and the start that a case asks of a token bucket.
struct BucketSettings {
  let rate: Rate
  let burst: Int
  let initial: Int

  static let keys: Set = [
    "rate_per_s", "refill_amount", "refill_period", "fill_interval", "quantum", "period_per_token",
    "burst", "start", "start_tokens", "refill", "algorithm", "n_above_burst",
  ]

  init(_ scenario: Scenario) throws(Obstacle) {
    let config = scenario.config
    switch try config.word("algorithm") {
    case nil, "gcra": break
    case "pay_next_warmup": throw .missing("warmup")
    case let other?: throw .missing(other)
    }
    // Steps are only compared where the case says that they make no difference.
    if try config.word("refill") == "stepwise", !scenario.isMapped { throw .missing("stepwise") }
    try config.expectOnly(Self.keys)
    rate = try Rate(config)
    burst = try config.required("burst", config.count("burst"))
    guard burst > 0 else { throw .missing("rejection") }
    switch try config.word("start") {
    case nil where config.has("start_tokens"):
      initial = try config.required("start_tokens", config.count("start_tokens"))
    case nil, "full": initial = burst
    case "empty": initial = 0
    case let other?: throw .missing("start-\(other)")
    }
    guard (0...burst).contains(initial) else { throw .missing("rejection") }
  }
}

extension Rate {
  /// The rate, however the case spells it.
  init(_ config: Settings) throws(Obstacle) {
    if let period = try config.duration("refill_period") {
      try self.init(config.required("refill_amount", config.count("refill_amount")), period)
    } else if let period = try config.duration("fill_interval") {
      try self.init(config.required("quantum", config.count("quantum")), period)
    } else if let period = try config.duration("per") {
      try self.init(config.required("rate", config.count("rate")), period)
    } else if let period = try config.duration("period_per_token") {
      try self.init(1, period)
    } else if let period = try config.duration("interval") {
      try self.init(1, period)
    } else if config.values["rate_per_s"] == .null {
      throw .missing("unlimited")
    } else {
      let perSecond = try config.required("rate_per_s", config.number("rate_per_s"))
      let ratio = perSecond.asRatio
      guard let tokens = Int(exactly: ratio.numerator) else { throw .missing("rejection") }
      try self.init(tokens, .seconds(ratio.denominator))
    }
  }

  private init(_ tokens: Int, _ period: Duration) throws(Obstacle) {
    do {
      try self.init(validating: tokens, per: period)
    } catch {
      throw .missing("rejection")
    }
  }
}

extension Double {
  /// The simplest ratio that is this number to the last digits: 0.769230769… is ten in thirteen.
  fileprivate var asRatio: (numerator: Int128, denominator: Int128) {
    typealias Ratio = (numerator: Int128, denominator: Int128)
    var before: Ratio = (0, 1)
    var current: Ratio = (1, 0)
    var rest = self
    while rest.isFinite, abs(rest) < 1e15, current.denominator < 1_000_000_000 {
      let whole = Int128(rest.rounded(.down))
      let next = (
        whole * current.numerator + before.numerator,
        whole * current.denominator + before.denominator
      )
      (before, current) = (current, next)
      let error = abs(Double(current.numerator) / Double(current.denominator) - self)
      if error <= abs(self) * 1e-14 { break }
      rest = 1 / (rest - Double(whole))
    }
    return current
  }
}
