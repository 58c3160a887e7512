import Pacing
import PacingTesting

/// Asks a bucket the questions of a case.
final class BucketAsker {
  private let bucket: TokenBucket
  private let asker: LimitAsker<TokenBucket>
  private let stage: Stage
  private var burst: Int
  /// The time of work that the burst covers, if it follows the rate.
  private let burstTime: Duration?

  init(
    bucket: TokenBucket, burst: Int, stage: Stage, usesDecisions: Bool = true,
    burstTime: Duration? = nil
  ) {
    self.bucket = bucket
    self.burst = burst
    self.stage = stage
    self.burstTime = burstTime
    asker = LimitAsker(bucket, on: stage, usesDecisions: usesDecisions)
  }

  /// The answer; nil if the operation has none.
  func answer(_ call: Call) throws -> Answer? {
    switch call.name {
    case "set_rate":
      try call.expectOnly(Rate.settings)
      try reconfigure(rate: Rate(call.settings))
      return nil
    case "set_burst":
      try call.expectOnly(["burst"])
      burst = try call.required("burst", call.count("burst"))
      guard burst > 0 else { throw Obstacle.missing("rejection") }
      bucket.reconfigure(burst: burst)
      return nil
    case "property":
      var property = BurstProperty(bucket, on: stage)
      try property.check { self.reconfigure(rate: $0) }
      return nil
    case "rate_of_interval":
      throw Obstacle.missing("conversion")
    default:
      return try asker.answer(call, capacity: burst)
    }
  }

  /// A burst given as a time follows the rate, and the bucket's content in proportion.
  private func reconfigure(rate: Rate) {
    guard let burstTime else { return bucket.reconfigure(rate: rate) }
    let (held, old) = (bucket.available, burst)
    let debt = bucket.peek(1).retryAfter ?? .zero
    burst = rate.count(in: burstTime)
    bucket.reconfigure(rate: rate, burst: burst)
    bucket.reset()
    guard held > 0 || debt == .zero else {
      // A debt is a time, which the change leaves as it is.
      guard rate != .unlimited else { return bucket.pause(for: debt) }
      return bucket.penalize(burst + rate.count(in: debt))
    }
    bucket.penalize(burst - held * burst / old)
  }
}
