import Pacing
import PacingTesting

/// Callers that wait at leaky buckets, once or repeatedly.
final class LeakyQueue {
  let stage = Stage()

  /// The answers to single calls.
  let served: Record

  /// The buckets by name, with their bursts; a case with one bucket does not name it.
  private let buckets: [String: (bucket: TokenBucket, burst: Int)]
  private let finished: Record

  private static let keys: Set = ["rate_per_s", "rate", "per", "interval", "slack", "start"]
  private static let only = ""

  /// More callers and rounds than any scenario needs.
  private static let limit = 10_000

  init(_ settings: [String: (rate: Rate, burst: Int)]) {
    let clock = stage.clock
    served = Record(clock)
    finished = Record(clock)
    buckets = settings.mapValues { settings in
      let bucket = TokenBucket(
        rate: settings.rate, burst: settings.burst, initial: 1, clock: clock)
      return (bucket, settings.burst)
    }
  }

  /// The rates and bursts of a case.
  static func buckets(_ config: Settings) throws(Obstacle) -> [String: (rate: Rate, burst: Int)] {
    if let slack = try config.count("slack") {
      try config.expectOnly(keys)
      guard (0..<Int.max).contains(slack) else { throw .missing("rejection") }
      return [only: (try Rate(config), slack + 1)]
    }
    var buckets = [String: (rate: Rate, burst: Int)]()
    for (name, value) in config.values where name != "unit" {
      guard var inner = value.members else { throw .missing(name) }
      inner["unit"] = config.values["unit"]
      buckets[name] = try Self.buckets(Settings(inner))[only]
    }
    return buckets
  }

  /// The answers to single calls, in call order.
  var rows: [Outcome.Row] { served.all.sorted { ($0.step ?? 0) < ($1.step ?? 0) } }

  /// Waits for tokens once; `row` maps the time of the grant to an answer, nil after a refusal.
  func take(
    _ cost: Int, within limit: Nanoseconds? = nil,
    row: @escaping @Sendable (Nanoseconds?) -> Outcome.Row?
  ) throws(Obstacle) {
    let (bucket, _) = try bucket(Self.only)
    let served = served
    stage.start {
      var isGranted = false
      do {
        try await bucket.acquire(cost, within: limit.map(Duration.init(nanoseconds:)))
        isGranted = true
      } catch {}
      if let row = row(isGranted ? served.now : nil) { served.add(row) }
    }
    stage.settle()
  }

  /// Lets callers go through their buckets in turn, repeatedly.
  func circulate(_ call: Call) throws(Obstacle) {
    try call.expectOnly(["callers", "through"])
    let callers = try call.required("callers", call.count("callers"))
    guard callers < Self.limit else { throw .broken("there are too many callers") }
    let names = call.arguments["through"].map { $0.elements ?? [] } ?? [.string(Self.only)]
    guard !names.isEmpty else { throw .malformed("greedy callers without a limiter") }
    let route = try names.map { name throws(Obstacle) in try bucket(name.text ?? "?").bucket }
    let finished = finished
    for _ in 0..<max(0, callers) {
      stage.start {
        do {
          while finished.count < Self.limit {
            for bucket in route { try await bucket.acquire() }
            finished.note(.nothing)
          }
        } catch {}
      }
    }
    stage.settle()
  }

  /// The number of rounds and single takes that ended before each time.
  func rounds(before times: [Nanoseconds]) throws(Obstacle) -> [Outcome.Row] {
    try stage.advance(to: times.max() ?? 0)
    guard finished.count < Self.limit else { throw .broken("it never comes to rest") }
    let ends = finished.times + served.times
    return times.map { time in Outcome.Row(at: time, .count(ends.count { $0 < time })) }
  }

  /// The immediate answer of the only bucket.
  func answer(_ call: Call) throws -> Answer? {
    let (bucket, burst) = try bucket(Self.only)
    return try BucketAsker(bucket: bucket, burst: burst, stage: stage).answer(call)
  }

  private func bucket(_ name: String) throws(Obstacle) -> (bucket: TokenBucket, burst: Int) {
    guard let bucket = buckets[name] else { throw .malformed("there is no bucket \"\(name)\"") }
    return bucket
  }
}
