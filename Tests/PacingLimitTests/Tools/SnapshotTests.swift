import Foundation
import Pacing
import PacingTesting
import Testing

@Suite("Snapshots of a bucket")
struct SnapshotTests {
  /// A clock of a run of the program, which starts at a wall time in seconds.
  static func clock(at seconds: Int) -> ManualClock {
    let clock = ManualClock()
    clock.wallTime = .seconds(seconds)
    return clock
  }

  static func coded(_ snapshot: BucketSnapshot) throws -> BucketSnapshot {
    try JSONDecoder().decode(BucketSnapshot.self, from: JSONEncoder().encode(snapshot))
  }

  @Test("a bucket goes on after a restart, and the time between refills it")
  func restart() throws {
    let first = Self.clock(at: 1000)
    let bucket = TokenBucket(rate: .perMinute(1), burst: 5, clock: first)
    #expect(bucket.tryAcquire(5))
    first.advance(by: .seconds(30))
    let snapshot = try Self.coded(bucket.snapshot())
    #expect(snapshot.time == .seconds(1030))
    #expect(snapshot.rate == .perMinute(1) && snapshot.burst == 5)

    let second = Self.clock(at: 1059)
    let resumed = TokenBucket(resuming: snapshot, clock: second)
    #expect(resumed.request().retryAfter == .seconds(1))
    second.advance(by: .seconds(1))
    #expect(resumed.tryAcquire())
    #expect(resumed.request().retryAfter == .seconds(60))
  }

  @Test("a wall clock that went back counts as no time", arguments: [-100_000, 0, 999])
  func back(seconds: Int) throws {
    let bucket = TokenBucket(
      rate: .perSecond(1), burst: 5, initial: 2, clock: Self.clock(at: 1000))
    bucket.pause(for: .seconds(3))
    let clock = Self.clock(at: seconds)
    let resumed = TokenBucket(resuming: try Self.coded(bucket.snapshot()), clock: clock)
    #expect(resumed.request(2).retryAfter == .seconds(3))
    resumed.resume()
    #expect(resumed.available == 2)
    clock.advance(by: .seconds(1))
    #expect(resumed.available == 3)
  }

  @Test("already the first try finds the pause and the reservations")
  func firstTry() throws {
    let bucket = TokenBucket(
      rate: .perSecond(1), burst: 5, initial: 2, clock: Self.clock(at: 1000))
    let reservation = try bucket.reserve(3)
    let reserved = TokenBucket(resuming: bucket.snapshot(), clock: Self.clock(at: 1000))
    #expect(!reserved.tryAcquire())
    reservation.cancel()
    bucket.pause(for: .seconds(3))
    let paused = TokenBucket(resuming: bucket.snapshot(), clock: Self.clock(at: 1000))
    #expect(!paused.tryAcquire())
  }

  @Test("waiters that are due are served, and the others are not part of a snapshot")
  func waiters() {
    let clock = Self.clock(at: 0)
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, clock: clock)
    for _ in 0..<3 { bucket.acquire { _ in } }
    #expect(bucket.waitingCount == 2)
    let resumed = TokenBucket(resuming: bucket.snapshot(), clock: clock)
    #expect(resumed.available == 0 && resumed.waitingCount == 0)
    #expect(resumed.statistics == LimitStatistics())
    bucket.close()
    #expect(!bucket.tryAcquire(0))
    #expect(TokenBucket(resuming: bucket.snapshot(), clock: clock).tryAcquire(0))
  }

  @Test("a snapshot is written as text that people can read")
  func format() throws {
    let clock = Self.clock(at: 7)
    let bucket = TokenBucket(
      rate: .perSecond(3), burst: 4, refill: .stepwise(every: .seconds(1)), overdraft: .savingUp,
      clock: clock)
    clock.advance(by: .milliseconds(400))
    #expect(bucket.tryAcquire(1))
    bucket.pause(for: .milliseconds(1))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(bucket.snapshot()), as: UTF8.self)
    #expect(
      text == #"{"burst":4,"debt":"1000000000","overdraft":"saving up","pause":1000000,"#
        + #""rate":"3 per second","refill":{"next":600000000,"period":1000000000},"#
        + #""time":7400000000}"#)
    #expect(try Self.coded(bucket.snapshot()) == bucket.snapshot())
  }

  static let good: [String: String] = [
    "time": "5", "rate": #""3/s""#, "burst": "4", "debt": #""7""#,
  ]

  static func decode(_ changes: [String: String?]) throws -> BucketSnapshot {
    let fields = good.merging(changes.compactMapValues { $0 }) { $1 }
      .filter { changes[$0.key] != .some(nil) }
    let text = "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    return try JSONDecoder().decode(BucketSnapshot.self, from: Data(text.utf8))
  }

  @Test("what no bucket can be is refused")
  func nonsense() throws {
    _ = try Self.decode([:])
    let bad: [[String: String?]] = [
      ["time": nil], ["rate": nil], ["burst": nil], ["debt": nil], ["time": #""soon""#],
      ["rate": #""0/s""#], ["burst": "0"], ["burst": "-1"], ["debt": #""-1""#],
      ["debt": #""1.5""#], ["debt": #""170141183460469231731687303715884105728""#],
      ["fineness": "0"], ["fineness": "9223372036854775807"], ["overdraft": #""maybe""#],
      ["refill": #"{"period":0,"next":0}"#], ["refill": #"{"period":5,"next":5}"#],
      ["refill": #"{"period":5,"next":-1}"#], ["pause": "0"], ["pause": "-1"],
      ["reservations": #"[{"tokens":0,"at":"1","limit":"1"}]"#],
      ["reservations": #"[{"tokens":1,"at":"-1","limit":"1"}]"#],
      ["reservations": #"[{"tokens":1,"at":"2","limit":"1"}]"#],
      [
        "reservations":
          #"[{"tokens":1,"at":"2","limit":"9"},{"tokens":1,"at":"1","limit":"9"}]"#
      ],
    ]
    for changes in bad {
      #expect(throws: DecodingError.self, "\(changes)") { try Self.decode(changes) }
    }
  }

  @Test("the largest numbers that can be written stop nothing")
  func extremes() throws {
    let most = "\(Int128.max)"
    let snapshots = try [
      ["time": "\(Int64.min)"], ["time": "\(Int64.max)"], ["debt": "\"\(most)\""],
      ["burst": "\(Int.max)", "rate": #""none""#], ["rate": #""unlimited""#],
      ["pause": "\(Int64.max)"], ["refill": #"{"period":9223372036854775807,"next":7}"#],
      ["reservations": #"[{"tokens":\#(Int.max),"at":"\#(most)","limit":"\#(most)"}]"#],
    ].map { try Self.decode($0) }
    for snapshot in snapshots {
      let clock = Self.clock(at: 3)
      let bucket = TokenBucket(resuming: snapshot, clock: clock)
      _ = bucket.request()
      _ = bucket.available
      _ = try? bucket.reserve(2)
      clock.advance(by: .seconds(1))
      _ = bucket.tryAcquire(3)
      _ = try Self.coded(bucket.snapshot())
    }
  }
}
