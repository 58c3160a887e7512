import Pacing
import PacingTesting

/// A rule that a case states in words: after a rest, one second's work completes within a second;
/// repeated immediately, it does not.
struct BurstProperty {
  /// The case that states it.
  static let id = "guava.burst_le_1s"

  private let bucket: TokenBucket
  private let stage: Stage
  private var random = SplitMix64(seed: 1)

  init(_ bucket: TokenBucket, on stage: Stage) {
    self.bucket = bucket
    self.stage = stage
  }

  /// Checks the rule at several rates, set by `change`.
  mutating func check(_ change: (Rate) throws -> Void) throws {
    for rate in [1000, 1, 10, 1_000_000, 10, 1] {
      try stage.advance(to: stage.now.adding(Nanoseconds(rate) * 1_000_000_000))
      try change(.perSecond(rate))
      let rested = try work(rate)
      guard rested <= 1_000_000_000 else { throw Obstacle.broken("\(rested) ns after a rest") }
      let tired = try work(rate)
      guard tired >= 1_000_000_000 else { throw Obstacle.broken("\(tired) ns without a rest") }
    }
  }

  /// Takes tokens in random pieces, and one more to pay for them; returns the time that took.
  private mutating func work(_ tokens: Int) throws -> Nanoseconds {
    let start = stage.now
    var tokens = tokens
    while tokens > 0 {
      let piece = max(1, Int.random(in: 0..<tokens, using: &random))
      tokens -= piece
      _ = try BlockingAcquire(bucket, cost: piece, on: stage)
    }
    _ = try BlockingAcquire(bucket, cost: 1, on: stage)
    return stage.now - start
  }
}
