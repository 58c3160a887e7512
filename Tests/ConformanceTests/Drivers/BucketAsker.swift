import Pacing

/// Asks a bucket the questions of a case.
final class BucketAsker {
  private let bucket: TokenBucket
  private var burst: Int
  private let stage: Stage
  /// Whether to ask with `request`, not `tryAcquire`.
  private let usesDecisions: Bool
  /// The burst in seconds of work, if it follows the rate.
  private let burstSeconds: Int?
  private var reservations = [String: Reservation]()

  init(
    bucket: TokenBucket, burst: Int, stage: Stage, usesDecisions: Bool = true,
    burstSeconds: Int? = nil
  ) {
    self.bucket = bucket
    self.burst = burst
    self.stage = stage
    self.usesDecisions = usesDecisions
    self.burstSeconds = burstSeconds
  }

  /// The answer; nil if the operation has none.
  func answer(_ call: Call) throws -> Answer? {
    switch call.name {
    case "allow":
      return try allow(call)
    case "tokens", "remaining":
      try call.expectOnly([])
      return .count(bucket.available)
    case "wait_time":
      try call.expectOnly(["n"])
      return bucket.peek(try cost(call)).retryAfter.map { .span(Nanoseconds(roundingUp: $0)) }
        ?? .text("never")
    case "wait":
      return try wait(call)
    case "acquire":
      try call.expectOnly(["n"])
      let wait = try BlockingAcquire(bucket, cost: cost(call), on: stage)
      return wait.isGranted ? .span(wait.waited) : .text("refused")
    case "try_acquire":
      try call.expectOnly(["n", "max_wait"])
      let limit = try call.required("max_wait", call.nanoseconds("max_wait"))
      let wait = try BlockingAcquire(bucket, cost: cost(call), within: max(0, limit), on: stage)
      return .flag(wait.isGranted)
    case "reserve":
      return try reserve(call)
    case "cancel":
      try call.expectOnly(["of"])
      _ = call.arguments["of"]?.text.flatMap { reservations[$0]?.cancel() }
      return nil
    case "take_available":
      try call.expectOnly(["n"])
      return .count(bucket.take(upTo: try cost(call)))
    case "set_rate", "set_burst":
      try reconfigure(call)
      return nil
    case "property":
      var property = BurstProperty(bucket, on: stage)
      try property.check { try self.reconfigure(rate: $0) }
      return nil
    case "create":
      throw Obstacle.missing("rejection")
    case "rate_of_interval":
      throw Obstacle.missing("conversion")
    default:
      throw Obstacle.missing(call.name)
    }
  }

  private func allow(_ call: Call) throws -> Answer {
    try call.expectOnly(["n", "report"])
    let cost = try cost(call)
    let reportsRemaining = call.arguments["report"] == .string("remaining")
    guard usesDecisions || reportsRemaining else {
      let refusal = bucket.peek(cost).retryAfter
      if bucket.tryAcquire(cost) { return .flag(true) }
      return refusal == nil ? .exceedsBurst(burst) : .flag(false)
    }
    let decision = bucket.request(cost)
    if decision.isAllowed { return reportsRemaining ? .count(decision.remaining) : .flag(true) }
    return decision.retryAfter == nil ? .exceedsBurst(burst) : .flag(false)
  }

  private func wait(_ call: Call) throws -> Answer {
    try call.expectOnly(["n", "deadline", "cancel_at", "cancelled"])
    let deadline = try call.nanoseconds("deadline")
    let isCancelled = call.arguments["cancelled"] == .bool(true)
    let wait = try BlockingAcquire(
      bucket, cost: cost(call), within: deadline.map { max(0, $0.adding(-stage.now)) },
      cancelledAt: isCancelled ? stage.now : call.nanoseconds("cancel_at"),
      beforeItBegins: isCancelled, on: stage)
    return .fields(["ok": .flag(wait.isGranted), "waited": .span(wait.waited)])
  }

  private func reserve(_ call: Call) throws -> Answer {
    try call.expectOnly(["n", "as", "max_wait", "over_burst"])
    let limit = try call.nanoseconds("max_wait").map(Duration.init(nanoseconds:))
    let cost = try cost(call)
    do throws(AcquireError) {
      let reservation = try bucket.reserve(cost, within: limit)
      if let name = call.arguments["as"]?.text { reservations[name] = reservation }
      return .span(Nanoseconds(roundingUp: reservation.delay))
    } catch {
      return .nothing
    }
  }

  private func reconfigure(_ call: Call) throws {
    if call.name == "set_burst" {
      try call.expectOnly(["burst"])
      burst = try call.required("burst", call.count("burst"))
      guard burst > 0 else { throw Obstacle.missing("rejection") }
      return bucket.reconfigure(burst: burst)
    }
    try call.expectOnly(["rate_per_s"])
    try reconfigure(rate: Rate(perSecond: call.number("rate_per_s")))
  }

  /// A burst given in seconds follows the rate, and the bucket's content in proportion.
  private func reconfigure(rate: Rate) throws {
    guard let burstSeconds else { return bucket.reconfigure(rate: rate) }
    burst = try rate.count(in: burstSeconds)
    bucket.reconfigure(rate: rate, burst: burst, inheriting: .proportional)
  }

  private func cost(_ call: Call) throws(Obstacle) -> Int {
    let cost = try call.required("n", call.count("n"))
    guard cost >= 0 else { throw .missing("rejection") }
    return cost
  }
}
