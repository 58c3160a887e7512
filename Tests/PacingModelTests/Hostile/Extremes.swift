import Pacing

/// Extreme values that no caller means and some caller will pass.
enum Extremes {
  static let longest = Duration.seconds(Int64.max) * 18
  static let shortest = Duration.seconds(Int64.min) * 18

  /// So short that a rate of one token per it is not a ratio of 64-bit integers.
  static let eleventh = Duration(secondsComponent: 0, attosecondsComponent: 11)

  static let durations: [Duration] = [
    longest, shortest, .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(Int64.max),
    .nanoseconds(Int64.min), .nanoseconds(Int64.max) + .nanoseconds(1), .zero, .nanoseconds(1),
    .nanoseconds(-1), Duration(secondsComponent: 0, attosecondsComponent: 1),
    Duration(secondsComponent: 0, attosecondsComponent: -1), .milliseconds(1), .seconds(3600),
    .seconds(-3600),
  ]

  static let counts = [Int.max, Int.max - 1, Int.min, 1 << 62, 1 << 32, 0, 1, -1, 2, 3, 1_000]

  static let factors = [
    1, 2, 1.5, 0, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    0.1, 1_000, 1e300,
  ]

  static let instants = [
    PacingInstant.distantFuture, PacingInstant(nanoseconds: .min), PacingInstant(nanoseconds: 0),
    PacingInstant(nanoseconds: .max - 1), PacingInstant(nanoseconds: 1),
  ]
}

extension SplitMix64 {
  mutating func duration() -> Duration { Extremes.durations.randomElement(using: &self)! }
  mutating func count() -> Int { Extremes.counts.randomElement(using: &self)! }
  /// A count that settings accept.
  mutating func positiveCount() -> Int { one(of: Extremes.counts.filter { $0 > 0 }) }
  /// A period that settings accept.
  mutating func period() -> Duration { one(of: Extremes.durations.filter { $0 > .zero }) }
  mutating func factor() -> Double { Extremes.factors.randomElement(using: &self)! }
  mutating func instant() -> PacingInstant { Extremes.instants.randomElement(using: &self)! }
  mutating func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &self) ? value : nil }
  mutating func one<Value>(of values: [Value]) -> Value { values.randomElement(using: &self)! }
}
