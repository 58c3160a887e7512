import Foundation
import Pacing
import Testing

@testable import TestSupport

@Suite("Snapshots: laws")
struct SnapshotLawTests {
  typealias Bucket = BucketState<Int>

  /// A bucket that is continued from a snapshot in text now and then, on a clock with another
  /// origin.
  struct Restarted {
    var bucket: Bucket
    /// The clock's reading at wall time zero.
    var origin = 0

    func instant(_ now: Int) -> PacingInstant { Self.at(now + origin) }

    static func at(_ nanosecond: Int) -> PacingInstant {
      PacingInstant(nanoseconds: Nanoseconds(nanosecond))
    }

    /// Restarts at `now`, from a snapshot taken at an earlier wall time.
    mutating func restart(from taken: Int, at now: Int, using random: inout SplitMix64) throws {
      let snapshot = bucket.snapshot(
        wallOffset: Nanoseconds(-origin), at: instant(taken))
      let data = try JSONEncoder().encode(snapshot)
      let read = try JSONDecoder().decode(BucketSnapshot.self, from: data)
      #expect(read == snapshot)
      origin = Int.random(in: -1000...1000, using: &random)
      bucket = Bucket(
        resuming: read, wallOffset: Nanoseconds(-origin), at: instant(now))
    }
  }

  @Test("a bucket that restarts is the exact model, which does not", arguments: Soak.seeds(150))
  func agreesWithTheModel(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tokens = Int.random(in: 1...3, using: &random)
    let nanoseconds = Int.random(in: 1...9, using: &random)
    let burst = Int.random(in: 1...5, using: &random)
    let initial = Int.random(in: 0...burst, using: &random)
    var restarted = Restarted(
      bucket: Bucket(
        rate: Rate(tokens, per: .nanoseconds(nanoseconds)), burst: burst, initial: initial,
        at: PacingInstant(nanoseconds: 0)))
    var model = ExactBucket(
      tokens: tokens, nanoseconds: nanoseconds, burst: burst, initial: initial)
    var now = 0
    for name in 0..<40 {
      let before = now
      now += [0, 0, 0, 1, 1, 2, 5, 12].randomElement(using: &random)!
      model.advance(to: now)
      if Int.random(in: 0..<3, using: &random) == 0 {
        try restarted.restart(from: before, at: now, using: &random)
      }
      let cost = Int.random(in: 1...burst, using: &random)
      let instant = restarted.instant(now)
      switch Int.random(in: 0..<9, using: &random) {
      case 0...3:
        #expect(restarted.bucket.tryAcquire(cost, at: instant) == model.tryAcquire(cost))
      case 4, 5:
        let reserved = try restarted.bucket.reserve(cost, at: instant).get()
        let step = model.reserve(name, cost: cost)
        #expect(reserved.due == restarted.instant(model.nanosecond(of: step)))
      case 6:
        restarted.bucket.penalize(cost, at: instant)
        model.spend(cost)
      case 7:
        _ = restarted.bucket.drain(at: instant)
        model.drain()
      default:
        let end = now + Int.random(in: 0...9, using: &random)
        restarted.bucket.pause(until: restarted.instant(end), at: instant)
        model.pause(until: end)
      }
      let available = restarted.bucket.available(at: instant)
      #expect(available == model.available, "seed \(seed), call \(name)")
      let wait = restarted.bucket.peek(cost, at: instant).retryAfter
      let due = model.nanosecond(for: cost)
      #expect(wait == .nanoseconds(due - now), "seed \(seed), call \(name)")
      guard available == model.available, wait == .nanoseconds(due - now) else { return }
    }
  }

  @Test(
    "of two equal buckets, one restarts and answers as the other", arguments: Soak.seeds(150))
  func agreesWithItself(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func rate() -> Rate {
      Rate(
        Int.random(in: 1...6, using: &random),
        per: .nanoseconds(Int.random(in: 1...40, using: &random)))
    }
    let burst = Int.random(in: 1...6, using: &random)
    let period = Int.random(in: 1...9, using: &random)
    let whole = Bucket(
      rate: rate(), burst: burst,
      refill: Bool.random(using: &random)
        ? .continuous : .stepwise(every: .nanoseconds(period)),
      overdraft: [.none, .savingUp, .nextPays].randomElement(using: &random)!,
      at: PacingInstant(nanoseconds: 0))
    var (uninterrupted, restarted) = (Restarted(bucket: whole), Restarted(bucket: whole))
    var now = 0
    for call in 0..<60 {
      let before = now
      now += Int.random(in: 0...12, using: &random)
      if Int.random(in: 0..<3, using: &random) == 0 {
        try restarted.restart(from: before, at: now, using: &random)
      }
      let cost = Int.random(in: 1...burst + 2, using: &random)
      let kind = Int.random(in: 0..<8, using: &random)
      let change = rate()
      func act(on run: inout Restarted) -> [Int?] {
        let instant = run.instant(now)
        var answers = [Int?]()
        switch kind {
        case 0, 1: answers = [run.bucket.tryAcquire(cost, at: instant) ? 1 : 0]
        case 2, 3:
          let reserved = try? run.bucket.reserve(cost, at: instant).get()
          answers = [reserved.map { Int($0.due.nanoseconds) - run.origin }]
        case 4: run.bucket.penalize(cost, at: instant)
        case 5: run.bucket.pause(until: run.instant(now + cost), at: instant)
        case 6: run.bucket.add(cost, at: instant)
        default:
          run.bucket.reconfigure(
            rate: change, burst: burst + cost % 2, inheriting: .keep, at: instant)
        }
        let decision = run.bucket.peek(1 + cost % 3, at: instant)
        return answers + [
          run.bucket.available(at: instant), decision.remaining,
          decision.retryAfter.map { Int(Nanoseconds(roundingUp: $0)) },
          Int(Nanoseconds(roundingUp: decision.resetAfter)),
        ]
      }
      let (first, second) = (act(on: &uninterrupted), act(on: &restarted))
      #expect(first == second, "seed \(seed), call \(call), kind \(kind)")
      guard first == second else { return }
    }
  }

  @Test("text with any changes is refused, or is a bucket that works", arguments: Soak.seeds(150))
  func hostileText(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let numbers = [
      "0", "1", "-1", "7", "\(Int64.max)", "\(Int64.min)", "\(Int128.max)", "\(Int128.min)", "1e9",
      "null", "\"5/s\"", "\"none\"", "\"unlimited\"", "\"9223372036854775807/ns\"", "[]", "{}",
    ]
    var works = 0
    for round in 0..<40 {
      func number() -> String { numbers.randomElement(using: &random)! }
      func units() -> String { Bool.random(using: &random) ? "\"\(number())\"" : "\"5\"" }
      var fields = [
        "time": "7", "rate": "\"3/s\"", "burst": "4", "debt": "\"9\"", "fineness": "2",
        "pause": "5", "refill": "{\"period\":9,\"next\":4}", "overdraft": "\"saving up\"",
        "reservations": "[{\"tokens\":3,\"at\":\"5\",\"limit\":\"9\"}]",
      ]
      // The first is as it was written.
      for _ in 0..<(round == 0 ? 0 : Int.random(in: 1...2, using: &random)) {
        let key = fields.keys.sorted().randomElement(using: &random)!
        fields[key] = [number(), units(), nil].randomElement(using: &random)!
        if key == "reservations" {
          fields[key] = "[{\"tokens\":3,\"at\":\(units()),\"limit\":\(units())}]"
        }
      }
      let text = "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
      let read: BucketSnapshot
      do {
        read = try JSONDecoder().decode(BucketSnapshot.self, from: Data(text.utf8))
      } catch is DecodingError {
        continue
      }
      works += 1
      let now = Int(Int32.random(in: .min...(.max), using: &random))
      var run = Restarted(bucket: Bucket(resuming: read, wallOffset: 3, at: Restarted.at(now)))
      for step in 0..<4 {
        let instant = run.instant(now + step * 3)
        _ = run.bucket.request(1 + step, at: instant)
        _ = run.bucket.reserve(2, at: instant)
        _ = run.bucket.available(at: instant)
        try run.restart(from: now + step * 3, at: now + step * 3, using: &random)
      }
    }
    #expect(works > 0, "seed \(seed)")
  }
}
