import Pacing
import PacingTesting

/// The settings of a token bucket in a case.
struct BucketSettings {
  let rate: Rate
  let burst: Int
  let initial: Int
  let allowsOverdraft: Bool
  /// The time of work that the burst covers, if it follows the rate.
  let burstTime: Duration?
  /// When the bucket is created.
  let creation: Nanoseconds

  private static let keys: Set = [
    "burst", "start", "start_tokens", "refill", "algorithm", "n_above_burst", "max_burst_s",
    "created_at", "first_refill_at",
  ]

  /// Reads the settings of a case, except the `others` that the caller reads.
  init(_ scenario: Scenario, and others: Set<String> = []) throws(Obstacle) {
    try self.init(
      scenario.config, and: others, isMapped: scenario.isMapped,
      isOverBurst: scenario.steps.contains(where: \.isOverBurst))
  }

  /// Reads the settings of a bucket, which may need to be paid for costs above its burst.
  init(
    _ config: Settings, and others: Set<String> = [], isMapped: Bool = false,
    isOverBurst: Bool = false
  ) throws(Obstacle) {
    let others = others.union(Rate.settings)
    try config.expectOnly(Self.keys.union(["warmup", "cold_factor"]).union(others))
    rate = try Rate(config)
    burstTime = try config.seconds("max_burst_s")
    switch try config.word("algorithm") {
    case nil, "gcra":
      if try config.savesUp || isOverBurst, !isMapped { throw .missing("over-burst") }
      allowsOverdraft = false
      burst = try config.required("burst", config.count("burst"))
    case "pay_next":
      allowsOverdraft = true
      burst = rate.count(in: try config.required("max_burst_s", burstTime))
    case "pay_next_warmup": throw .missing("warmup")
    case let other?: throw .missing(other)
    }
    guard burst > 0 || rate == .unlimited else { throw .missing("rejection") }
    creation = try config.duration("created_at").map(Nanoseconds.init(roundingUp:)) ?? 0
    // In a mapped case, steps make no difference.
    switch try config.word("refill") {
    case "stepwise" where isMapped: break
    case nil, "continuous": if config.has("first_refill_at") { throw .missing("stepwise") }
    case let other?: throw .missing(other)
    }
    initial = try Self.initial(config, burst: burst)
    guard (0...burst).contains(initial) else { throw .missing("rejection") }
  }

  private static func initial(_ config: Settings, burst: Int) throws(Obstacle) -> Int {
    switch try config.word("start") {
    case nil where config.has("start_tokens"):
      return try config.required("start_tokens", config.count("start_tokens"))
    case nil, "full": return burst
    case "empty": return 0
    case let other?: throw .missing("start-\(other)")
    }
  }
}

extension BucketSettings {
  /// The bucket of the case, on the stage's clock.
  func bucket(on stage: Stage, queue: QueuePolicy = .unlimited) -> TokenBucket {
    stage.lapse(to: creation)
    return TokenBucket(
      rate: rate, burst: max(1, burst), initial: initial, allowsOverdraft: allowsOverdraft,
      queue: queue,
      clock: stage.clock)
  }
}

extension BucketSettings {
  /// Several buckets at once; nil if the case has only one.
  ///
  /// A setting next to them holds for each.
  static func limits(_ scenario: Scenario) throws(Obstacle) -> [Limit]? {
    let config = scenario.config
    guard let limits = config.values["limits"] else { return nil }
    guard let elements = limits.elements else { throw .malformed("config.limits is \(limits)") }
    let common = config.values.filter { $0.key != "limits" }
    return try elements.map { element throws(Obstacle) in
      guard let members = element.members else { throw .malformed("a limit is \(element)") }
      let settings = Settings(common.merging(members) { $1 }, unit: config.unit)
      let isOverBurst = scenario.steps.contains(where: \.isOverBurst)
      return try BucketSettings(settings, isOverBurst: isOverBurst).limit
    }
  }

  /// The bucket as one of several limits, which has fewer options.
  private var limit: Limit {
    get throws(Obstacle) {
      if allowsOverdraft { throw .missing("over-burst-limits") }
      if creation != 0 { throw .missing("created-at-limits") }
      return .tokenBucket(rate: rate, burst: burst, initial: initial)
    }
  }
}

extension Settings {
  /// Whether a cost above the burst is saved up for, not refused.
  fileprivate var savesUp: Bool {
    get throws(Obstacle) {
      switch values["n_above_burst"] {
      case nil, .bool(false), .string("refused"), .string("denied"): return false
      case .bool(true), .string("allowed_with_debt"): return true
      case let other?: throw .missing("n-above-burst-\(other.text ?? other.description)")
      }
    }
  }
}

extension Step {
  /// Whether a cost above the burst must be paid in full.
  fileprivate var isOverBurst: Bool {
    guard case .call(let call) = event else { return false }
    return call.arguments["over_burst"] == .bool(true)
  }
}
