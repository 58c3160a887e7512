import Pacing
import PacingTesting

/// The settings of a token bucket in a case.
struct BucketSettings {
  let rate: Rate
  let burst: Int
  let initial: Int
  let refill: Refill
  let overdraft: Overdraft
  /// The burst in seconds of work, if it follows the rate.
  let burstSeconds: Int?
  /// When the bucket is created.
  let creation: Nanoseconds

  private static let keys: Set = [
    "rate_per_s", "refill_amount", "refill_period", "fill_interval", "quantum", "period_per_token",
    "burst", "start", "start_tokens", "refill", "algorithm", "n_above_burst", "max_burst_s",
    "created_at", "first_refill_at",
  ]

  /// Reads the settings, except the `others` that the caller reads.
  init(_ scenario: Scenario, and others: Set<String> = []) throws(Obstacle) {
    let config = scenario.config
    try config.expectOnly(Self.keys.union(["warmup", "cold_factor"]).union(others))
    rate = try Rate(config)
    burstSeconds = try config.count("max_burst_s")
    switch try config.word("algorithm") {
    case nil, "gcra":
      let isOverBurst = config.has("n_above_burst") || scenario.steps.contains(where: \.isOverBurst)
      overdraft = isOverBurst && !scenario.isMapped ? .savingUp : .none
      burst = try config.required("burst", config.count("burst"))
    case "pay_next":
      overdraft = .nextPays
      burst = try rate.count(in: config.required("max_burst_s", burstSeconds))
    case "pay_next_warmup": throw .missing("warmup")
    case let other?: throw .missing(other)
    }
    guard burst > 0 else { throw .missing("rejection") }
    creation = try config.duration("created_at").map(Nanoseconds.init(roundingUp:)) ?? 0
    // In a mapped case, steps make no difference.
    let steps = try config.word("refill") == "stepwise" && !scenario.isMapped ? Steps(config) : nil
    refill = steps.map { .stepwise(every: $0.period, first: $0.first) } ?? .continuous
    initial = try Self.initial(config, burst: burst, steps: steps)
    guard (0...burst).contains(initial) else { throw .missing("rejection") }
  }

  private static func initial(
    _ config: Settings, burst: Int, steps: Steps?
  ) throws(Obstacle) -> Int {
    switch try config.word("start") {
    case nil where config.has("start_tokens"):
      return try config.required("start_tokens", config.count("start_tokens"))
    case nil, "full": return burst
    case "empty": return 0
    case "pro_rata":
      // The remainder of the current step if its tokens had been spent as they came.
      guard let steps else { throw .malformed("pro rata without steps") }
      guard steps.first > .zero else { return burst }
      let rest = steps.first / steps.period
      let left = Double(burst) - Double(steps.amount) + Double(steps.amount) * rest
      return left < Double(burst) ? Int(max(-1, left.rounded(.down))) : burst
    case let other?: throw .missing("start-\(other)")
    }
  }

  /// The grid of a bucket that refills in steps.
  private struct Steps {
    let amount: Int
    let period: Duration
    /// From the bucket's creation to the first step.
    let first: Duration

    init(_ config: Settings) throws(Obstacle) {
      if let interval = try config.duration("fill_interval") {
        period = interval
        amount = try config.required("quantum", config.count("quantum"))
      } else {
        period = try config.required("refill_period", config.duration("refill_period"))
        amount = try config.required("refill_amount", config.count("refill_amount"))
      }
      let creation = try config.duration("created_at") ?? .zero
      first = try config.duration("first_refill_at").map { $0 - creation } ?? period
    }
  }
}

extension BucketSettings {
  /// The bucket of the case, on the stage's clock.
  func bucket(on stage: Stage, queue: QueuePolicy = .unlimited) -> TokenBucket {
    stage.lapse(to: creation)
    return TokenBucket(
      rate: rate, burst: burst, initial: initial, refill: refill, overdraft: overdraft,
      queue: queue, clock: stage.clock)
  }
}

extension Step {
  /// Whether a cost above the burst must be paid in full.
  fileprivate var isOverBurst: Bool {
    guard case .call(let call) = event else { return false }
    return call.arguments["over_burst"] == .bool(true)
  }
}
