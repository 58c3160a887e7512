import Pacing

extension Rate {
  /// The settings in which a case states a rate.
  static let settings: Set = [
    "rate_per_s", "rate", "per", "interval", "period_per_token", "refill_amount", "refill_period",
    "fill_interval", "quantum",
  ]

  /// The rate, in any of the vectors' spellings.
  init(_ config: Settings) throws(Obstacle) {
    if let period = try config.duration("refill_period") {
      try self.init(config.required("refill_amount", config.count("refill_amount")), period)
    } else if let period = try config.duration("fill_interval") {
      try self.init(config.required("quantum", config.count("quantum")), period)
    } else if config.values["rate"] == .null {
      self = .unlimited
    } else if let period = try config.duration("per") {
      try self.init(config.required("rate", config.number("rate")), per: period)
    } else if let period = try config.duration("period_per_token") {
      try self.init(1, period)
    } else if let period = try config.duration("interval") {
      try self.init(1, period)
    } else if config.values["rate_per_s"] == .null {
      self = .unlimited
    } else if let rate = try config.number("rate_per_s") {
      try self.init(rate, per: .seconds(1))
    } else {
      throw .malformed("config has no rate")
    }
  }

  /// A rate whose number need not be whole.
  private init(_ number: Double, per period: Duration) throws(Obstacle) {
    // A token that takes more than a thousand years never comes.
    guard number < 0 || period <= .zero || number / (period / .seconds(1)) > 1.1e-10 else {
      self = .none
      return
    }
    let ratio = number.asRatio
    guard let tokens = Int(exactly: ratio.numerator) else { throw .missing("rejection") }
    try self.init(tokens, period * Int(clamping: ratio.denominator))
  }

  /// The tokens that refill in a time, rounded down, at least one.
  func count(in time: Duration) -> Int {
    guard nanoseconds > 0 else { return 1 }
    let units = Int128(Nanoseconds(roundingUp: time)) * Int128(tokens)
    return max(1, Int(clamping: units / Int128(nanoseconds)))
  }

  private init(_ tokens: Int, _ period: Duration) throws(Obstacle) {
    do {
      try self.init(checking: tokens, per: period)
    } catch {
      throw .missing("rejection")
    }
  }
}

extension Double {
  /// The simplest ratio that equals this number to its last digits: 0.769230769… is 10/13.
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
