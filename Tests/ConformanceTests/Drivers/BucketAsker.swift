import Pacing

/// Asks a bucket the questions of a case.
final class BucketAsker {
  private let bucket: TokenBucket
  private let asker: LimitAsker<TokenBucket>
  private let stage: Stage
  private var burst: Int
  /// The time of work that the burst covers, if it follows the rate.
  private let burstTime: Duration?
  private var reservations = [String: Reservation]()

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
    case "reserve":
      return try reserve(call)
    case "cancel":
      try call.expectOnly(["of"])
      _ = call.arguments["of"]?.text.flatMap { reservations[$0]?.cancel() }
      return nil
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

  private func reserve(_ call: Call) throws -> Answer {
    try call.expectOnly(["n", "as", "max_wait", "over_burst"])
    let limit = try call.nanoseconds("max_wait").map(Duration.init(nanoseconds:))
    let cost = try call.cost
    do throws(AcquireError) {
      let reservation = try bucket.reserve(cost, within: limit)
      if let name = call.arguments["as"]?.text { reservations[name] = reservation }
      return .span(Nanoseconds(roundingUp: reservation.delay))
    } catch {
      return .nothing
    }
  }

  /// A burst given as a time follows the rate, and the bucket's content in proportion.
  private func reconfigure(rate: Rate) {
    guard let burstTime else { return bucket.reconfigure(rate: rate) }
    burst = rate.count(in: burstTime)
    bucket.reconfigure(rate: rate, burst: burst, inheriting: .proportional)
  }
}
