import Pacing

/// Asks a bucket what a case asks.
struct BucketAsker {
  let bucket: TokenBucket
  let burst: Int
  let stage: Stage
  /// Whether tokens are asked for with `request`; with `tryAcquire` otherwise.
  var usesDecisions = true

  func answer(_ call: Call) throws -> Answer {
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
    case "cancel":
      throw Obstacle.missing("reserve")
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

  private func cost(_ call: Call) throws(Obstacle) -> Int {
    let cost = try call.required("n", call.count("n"))
    guard cost >= 0 else { throw .missing("rejection") }
    return cost
  }
}
