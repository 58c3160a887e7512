import Pacing
import PacingTesting

/// Callers that wait at leaky buckets, once or repeatedly.
final class LeakyQueue {
  let stage = Stage()

  /// The answers to single calls.
  let served: Record

  /// The buckets by name, with their bursts; a case with one bucket does not name it.
  private let buckets: [String: TokenBucket]
  /// Asks the only bucket.
  private let asker: BucketAsker?
  private let finished: Record

  private static let keys: Set = ["rate_per_s", "rate", "per", "interval", "slack", "start"]
  private static let only = ""

  /// More callers and rounds than any scenario needs.
  private static let limit = 10_000

  init(_ settings: [String: (rate: Rate, burst: Int)]) {
    let clock = stage.clock
    served = Record(clock)
    finished = Record(clock)
    let stage = stage
    buckets = settings.mapValues { settings in
      TokenBucket(rate: settings.rate, burst: settings.burst, initial: 1, clock: clock)
    }
    asker = buckets[Self.only].map { bucket in
      BucketAsker(bucket: bucket, burst: settings[Self.only]?.burst ?? 0, stage: stage)
    }
  }

  /// The rates and bursts of a case.
  static func buckets(_ config: Settings) throws(Obstacle) -> [String: (rate: Rate, burst: Int)] {
    if let slack = try config.count("slack") {
      try config.expectOnly(keys)
      guard try [nil, "first_free"].contains(config.word("start")) else { throw .missing("start") }
      guard (0..<Int.max).contains(slack) else { throw .missing("rejection") }
      return [only: (try Rate(config), slack + 1)]
    }
    var buckets = [String: (rate: Rate, burst: Int)]()
    for (name, value) in config.values where !Settings.silent.contains(name) {
      guard let members = value.members else { throw .missing(name) }
      buckets[name] = try Self.buckets(Settings(members, unit: config.unit))[only]
    }
    return buckets
  }

  /// The answers to single calls, in call order.
  var rows: [Outcome.Row] { served.all.sorted { ($0.step ?? 0) < ($1.step ?? 0) } }

  /// Lets a caller go through its buckets once; `row` maps the time of the last grant to an answer.
  func take(
    _ call: Call, row: @escaping @Sendable (Nanoseconds) -> Outcome.Row
  ) throws(Obstacle) {
    let route = try route(call)
    let served = served
    stage.start {
      do {
        for bucket in route { try await bucket.acquire() }
        served.add(row(served.now))
      } catch {}
    }
    stage.settle()
  }

  /// Lets callers go through their buckets in turn, repeatedly.
  func circulate(_ call: Call) throws(Obstacle) {
    try call.expectOnly(["callers", "through"])
    let callers = try call.count("callers") ?? 1
    guard callers < Self.limit else { throw .broken("there are too many callers") }
    let route = try route(call)
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
    guard let asker else { throw Obstacle.malformed("\(call.name) of several buckets") }
    return try asker.answer(call)
  }

  /// The buckets that a caller goes through, in order.
  private func route(_ call: Call) throws(Obstacle) -> [TokenBucket] {
    let names = call.arguments["through"].map { $0.elements ?? [$0] } ?? [.string(Self.only)]
    guard !names.isEmpty else { throw .malformed("\(call.name) without a limiter") }
    return try names.map { name throws(Obstacle) in try bucket(name.text ?? "?") }
  }

  private func bucket(_ name: String) throws(Obstacle) -> TokenBucket {
    guard let bucket = buckets[name] else { throw .malformed("there is no bucket \"\(name)\"") }
    return bucket
  }
}
