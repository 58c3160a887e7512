import Pacing
import PacingTesting
import TestSupport
import Testing

@testable import PacingRedis

@Suite("SharedRateLimiter: steps of the server's clock")
struct ClockStepTests {
  /// What may be the first call after a step.
  enum Call: CaseIterable {
    case request
    case peek
    case several
    case take
    case acquire

    func isGranted(_ limiter: SharedRateLimiter<String>) async -> Bool {
      switch self {
      case .request: await limiter.tryAcquire(for: "a")
      case .peek: await limiter.peek(for: "a").isAllowed
      case .several: await limiter.request(for: ["b", "a"]).decision.isAllowed
      case .take: await limiter.take(upTo: 1, for: "a") == 1
      case .acquire: (try? await limiter.acquire(for: "a", within: .zero)) != nil
      }
    }
  }

  @Test(
    "an exhausted bucket refills from the first call after a step back", arguments: Call.allCases)
  func exhausted(call: Call) async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store()
    // Of another process each time, which remembers no refusal.
    func limiter() -> SharedRateLimiter<String> { SharedRateLimiter(store, burst: 2) }
    #expect(await limiter().take(upTo: 9, for: "a") == 2)
    server.step(by: .seconds(-20))
    #expect(await !call.isGranted(limiter()))
    clock.advance(by: .milliseconds(100) - .microseconds(1))
    #expect(await !call.isGranted(limiter()))
    clock.advance(by: .microseconds(1))
    #expect(await call.isGranted(limiter()))
  }

  @Test("a step back of at most one refill stops the refill for its own length")
  func within() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store()
    func limiter() -> SharedRateLimiter<String> { SharedRateLimiter(store, burst: 2) }
    #expect(await limiter().take(upTo: 9, for: "a") == 2)
    server.step(by: .milliseconds(-200))
    #expect(await !limiter().tryAcquire(for: "a"))
    clock.advance(by: .milliseconds(300) - .microseconds(1))
    #expect(await !limiter().tryAcquire(for: "a"))
    clock.advance(by: .microseconds(1))
    #expect(await limiter().tryAcquire(for: "a"))
  }

  /// A bucket that each step forward refills, and that no step back stops: it never owes more than
  /// one that mints nothing.
  private struct Generous {
    let terms: BucketTerms
    private var debt: Int128 = 0
    private var seen: Int64?

    init(_ terms: BucketTerms) {
      self.terms = terms
    }

    /// The debt at a time, after what was charged then.
    mutating func debt(at now: Int64, charging units: Int128) -> Int128 {
      let moved = max(0, now - (seen ?? now))
      seen = now
      debt = max(0, debt - Int128(moved) * Int128(terms.speed)) + units
      return debt
    }
  }

  private static let quotas = [
    Quota(rate: .perSecond(10), burst: 2), Quota(rate: .perSecond(1000), burst: 100),
    Quota(rate: Rate(999_983, per: .seconds(1_000_003)), burst: 7),
    Quota(rate: .every(.seconds(3600)), burst: 3),
  ]

  /// Buckets of several quotas in one store, by a clock that is set forward and back.
  private struct Play {
    var random: SplitMix64
    var now: Int64 = 1_000_000_000_000
    let terms: [BucketTerms]
    private let model = ScriptModel()
    private var bounds: [Generous]

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      terms = try quotas.map { try BucketTerms($0) }
      bounds = terms.map(Generous.init)
    }

    /// Asks for a cost of some buckets; their debts are bounded from below.
    mutating func ask(_ cost: Int, _ indices: [Int], count: Int = 1, wait: Int64 = 0) -> Int {
      let buckets = indices.map { index in
        Inquiry.Bucket(name: "\(index)", terms: terms[index], cost: terms[index].units(cost))
      }
      let reply = model.reply(to: Inquiry(buckets, count: count, wait: wait), at: now)
      for ((index, bucket), debt) in zip(zip(indices, buckets), reply.debts) {
        let charge = Int128(reply.granted) * Int128(bucket.cost)
        #expect(Int128(debt) >= bounds[index].debt(at: now, charging: charge), "minted")
      }
      return reply.granted
    }

    /// Sets the clock: by less than a refill of a bucket, by about one, or by much more.
    mutating func step(around index: Int) {
      let refill = terms[index].capacity / terms[index].speed
      let sizes = [refill / 7, refill, 5 * refill, 100 * refill, 1_000_000]
      let size = Int64.random(in: 0...sizes.randomElement(using: &random)!, using: &random)
      now += Bool.random(using: &random) ? size : -size
    }
  }

  @Test(
    "no step mints a token, and none stops the refill for longer than one",
    arguments: Soak.seeds(60))
  func anyStep(seed: UInt64) throws {
    var play = try Play(seed: seed)
    for _ in 0..<400 {
      let index = Int.random(in: 0..<play.terms.count, using: &play.random)
      let (terms, cost) = (play.terms[index], Int.random(in: 1...2, using: &play.random))
      play.step(around: index)
      switch Int.random(in: 0..<5, using: &play.random) {
      case 0: _ = play.ask(cost, [index, (index + 1) % play.terms.count])
      case 1: _ = play.ask(cost, [index], count: Int.random(in: 0...9, using: &play.random))
      case 2: _ = play.ask(cost, [index], wait: 500_000)
      case 3: while play.ask(1, [index]) > 0 {}
      default:
        guard play.ask(1, [index], count: terms.burst) == 0 else { continue }
        // Frozen for one refill at most, and then full in another, but for places in the queue.
        let refill = (terms.capacity + terms.speed - 1) / terms.speed
        play.now += 2 * refill + 500_000
        #expect(play.ask(cost, [index]) == 1, "locked out after a refusal")
      }
    }
  }
}
