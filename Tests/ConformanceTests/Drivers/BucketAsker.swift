import Pacing
import PacingTesting
import TestSupport

/// Asks a bucket the questions of a case.
final class BucketAsker {
  private let bucket: TokenBucket
  private let asker: LimitAsker<TokenBucket>
  private let stage: Stage
  private var burst: Int
  /// The time of work that the burst covers, if it follows the rate.
  private let burstTime: Duration?
  private var reservations = [String: Reservation]()

  /// A place in line, and what it was charged once it is served.
  private struct Reservation {
    let handle: Acquisition
    let charge: Slot<Charge>
  }

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
      call.arguments["of"]?.text.flatMap { reservations[$0] }.map(cancel)
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
    let limit = try call.nanoseconds("max_wait").map(Duration.nanoseconds)
    let cost = try call.cost
    let (charge, isRefused) = (Slot<Charge>(), Slot<Bool>())
    let handle = bucket.acquire(Costs(cost), within: limit) { result in
      switch result {
      case .success(let own): charge.put(own)
      case .failure: isRefused.put(true)
      }
    }
    stage.settle()
    if isRefused.value == true { return .nothing }
    if let name = call.arguments["as"]?.text {
      reservations[name] = Reservation(handle: handle, charge: charge)
    }
    return handle.expectedWait.map { .span(Nanoseconds(roundingUp: $0)) } ?? .nothing
  }

  /// Gives a place back, up to and including the instant at which it is served.
  private func cancel(_ reservation: Reservation) {
    guard !reservation.handle.cancel(), let charge = reservation.charge.value,
      charge.instant >= stage.clock.now
    else { return }
    charge.cancel()
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
