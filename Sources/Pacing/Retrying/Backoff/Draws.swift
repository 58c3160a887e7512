/// Where the random numbers of a run come from.
struct Draws: Sendable {
  private var generator: SplitMix64
  private var fixed: Double?

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// The same number for every draw.
  init(fixed: Double) {
    generator = SplitMix64(seed: 0)
    self.fixed = fixed
  }

  /// A number in `0...1`.
  mutating func next() -> Double {
    fixed ?? .random(in: 0...1, using: &generator)
  }

  /// Whether every draw is the same, so that seeds do not count.
  var isFixed: Bool { fixed != nil }

  /// A delay between two.
  mutating func uniform(from lower: Nanoseconds, to upper: Nanoseconds) -> Nanoseconds {
    upper <= lower ? lower : lower.adding((upper - lower).scaled(by: next()))
  }
}
