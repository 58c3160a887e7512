import Pacing
import PacingTesting
import TestSupport

/// A keyed limiter against a count of parts of a token per key.
final class KeyedLimiterSubject: Subject {
  private static let token = 60

  private let gain: Int
  private let burst: Int
  private var limiter: KeyedRateLimiter<Int>?
  private var levels: [Int: (level: Int, time: Int)] = [:]

  init(_ scene: Scene, _ random: inout SplitMix64) {
    gain = [1, 2, 3, 5, 12].randomElement(using: &random)!
    burst = Int.random(in: 1...6, using: &random)
    super.init(scene)
    let (rate, burst) = (Rate(gain, per: .milliseconds(Self.token)), burst)
    limiter =
      Bool.random(using: &random)
      ? KeyedRateLimiter(rate: rate, burst: burst, maximumKeys: 8, clock: scene.clock)
      : KeyedRateLimiter(maximumKeys: 8, clock: scene.clock) { _ in
        [.tokenBucket(rate: rate, burst: burst)]
      }
  }

  private func level(_ key: Int) -> Int {
    let known = levels[key] ?? (burst * Self.token, now)
    return (known.time..<now).reduce(known.level) { level, _ in
      min(level + gain, burst * Self.token)
    }
  }

  private func spend(_ cost: Int, _ key: Int) -> Bool {
    let level = level(key)
    guard cost == 0 || level >= cost * Self.token else { return false }
    levels[key] = (level - cost * Self.token, now)
    return true
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let limiter else { return true }
    let key = Int.random(in: 0..<4, using: &random)
    let cost = Int.random(in: 0...(burst + 1), using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<4: return limiter.tryAcquire(cost, for: key) == spend(cost, key)
    case 4, 5: return limiter.request(cost, for: key).isAllowed == spend(cost, key)
    case 6:
      let look = limiter.peek(cost, for: key)
      let missing = cost * Self.token - level(key)
      let wait = cost == 0 ? 0 : max(0, (missing + gain - 1) / gain)
      return look.isAllowed == (cost <= burst && wait == 0)
        && (look.isAllowed || look.retryAfter == (cost > burst ? nil : .milliseconds(wait)))
    default:
      limiter.reset(key)
      levels[key] = nil
      return true
    }
  }

  override func end() { limiter = nil }
}
