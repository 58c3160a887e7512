import Pacing
import TestSupport
import Testing

/// Waiters whose costs may exceed the burst, in a bucket that is paused or changed: they save up
/// from the instant at which they are the first, a pause or not, and are served at its end at the
/// earliest.
@Suite("Token bucket: saving up in a pause")
struct SavingLawTests {
  /// The oracle: counts the parts of each nanosecond, of which `period` are a token; they come
  /// all `step` nanoseconds.
  struct Model {
    let period: Int
    let step: Int
    let burst: Int
    var parts: Int
    var now = 0
    var pausedUntil = 0
    var queue = [(name: Int, cost: Int)]()
    var served = [String]()
    private var full: Int { burst * period }

    private var isSaving: Bool { queue.first.map { $0.cost > burst } ?? false }

    mutating func tick() {
      now += 1
      if now % step == 0 { parts = isSaving ? parts + step : min(parts + step, full) }
      serve()
    }

    mutating func serve() {
      while let head = queue.first, now >= pausedUntil, parts >= head.cost * period {
        parts = min(parts - head.cost * period, full)
        served.append("\(queue.removeFirst().name) at \(now)")
      }
    }

    /// Adds tokens, up to a full bucket; what is saved above that stays.
    mutating func add(_ tokens: Int) { parts = max(parts, min(parts + tokens * period, full)) }

    /// Takes tokens, and what is saved above a full bucket.
    mutating func take(_ tokens: Int) { parts = min(parts, full) - tokens * period }

    /// Takes all that is in the bucket.
    mutating func drain() -> Int {
      defer { parts = min(parts, 0) }
      return max(0, min(parts, full) / period)
    }

    /// How long a caller that joins now waits.
    func wait(_ cost: Int) -> Int {
      var model = self
      model.queue.append((-1, cost))
      model.serve()
      while !model.queue.isEmpty { model.tick() }
      return model.now - now
    }
  }

  /// The bucket beside its oracle.
  struct Pair {
    var bucket: BucketState<Int>
    var model: Model
    private(set) var served = [String]()

    init(using random: inout SplitMix64) {
      let period = Int.random(in: 1...5, using: &random)
      let burst = Int.random(in: 1...4, using: &random)
      let initial = Int.random(in: 0...burst, using: &random)
      let step = [1, 1, 7, 20].randomElement(using: &random)!
      bucket = BucketState(
        rate: Rate(1, per: .nanoseconds(period)), burst: burst, initial: initial,
        refill: step == 1 ? .continuous : .stepwise(every: .nanoseconds(step)),
        overdraft: .savingUp, at: LimitLawTests.at(0))
      model = Model(period: period, step: step, burst: burst, parts: initial * period)
    }

    var instant: PacingInstant { LimitLawTests.at(model.now) }

    /// Lets a nanosecond pass; a timer wakes the bucket's queue.
    mutating func tick() {
      model.tick()
      if bucket.deadline <= instant { serve() }
    }

    /// Every call begins and ends with it.
    mutating func serve() {
      while let name = bucket.grantNext(at: instant) {
        served.append("\(name) at \(bucket.countedFrom.nanoseconds)")
      }
    }

    /// Looks change nothing.
    mutating func look() {
      _ = bucket.available(at: instant)
      _ = bucket.peek(model.burst, at: instant)
    }

    /// Adds, takes and fills.
    mutating func change(using random: inout SplitMix64) -> String? {
      serve()
      let tokens = Int.random(in: 0...model.burst, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        bucket.add(tokens, at: instant)
        model.add(tokens)
      case 1:
        bucket.penalize(tokens, at: instant)
        if tokens > 0 { model.take(tokens) }
      case 2:
        bucket.reset(at: instant)
        model.add(model.burst * 1000)
        model.pausedUntil = 0
      case 3:
        bucket.reconfigure(rate: nil, burst: nil, inheriting: .keep, at: instant)
        model.take(0)
      default:
        let (taken, expected) = (bucket.drain(at: instant), model.drain())
        guard taken == expected else { return "\(taken) drained of \(expected)" }
      }
      model.serve()
      serve()
      return nil
    }

    mutating func pause(_ length: Int?) {
      serve()
      let end = model.now + (length ?? 0)
      if length != nil {
        bucket.pause(until: LimitLawTests.at(end), at: instant)
        model.pausedUntil = max(model.pausedUntil, end)
      } else {
        bucket.resume(at: instant)
        model.pausedUntil = 0
      }
      model.serve()
      serve()
    }

    /// A caller comes: the bucket admits it if the oracle finds it in time.
    mutating func call(_ cost: Int, as name: Int, within timeout: Int?) -> String? {
      serve()
      let wait = model.wait(cost)
      let admission = bucket.admit(cost, within: timeout.map(Nanoseconds.init), at: instant)
      if let timeout, wait > timeout {
        let refusal = Admission.refused(.deadline(neededWait: .nanoseconds(wait)))
        return admission == refusal ? nil : "\(admission), not \(refusal)"
      }
      guard admission == (wait == 0 ? .granted : .mustWait) else {
        return "\(admission) for \(wait)"
      }
      if wait == 0 {
        served.append("\(name) at \(model.now)")
      } else {
        _ = bucket.join(cost, as: name, within: timeout.map(Nanoseconds.init))
      }
      model.queue.append((name, cost))
      model.serve()
      return nil
    }

    /// What differs, nil if nothing does.
    mutating func difference() -> String? {
      let refused = bucket.refuseHopeless(at: instant).map(\.payload)
      guard refused.isEmpty else { return "\(refused) were admitted, and refused" }
      return served == model.served ? nil : "\(served.suffix(3)), not \(model.served.suffix(3))"
    }
  }

  @Test(
    "each is served when the tokens have come, and at the end of the pause",
    arguments: Soak.seeds(400))
  func pauses(seed: UInt64) {
    run(seed) { pair, step, random in
      switch Int.random(in: 0..<16, using: &random) {
      case 0: pair.pause(.random(in: 0...40, using: &random))
      case 1: pair.pause(nil)
      case 2...5: return pair.call(cost(pair, &random), as: step, within: nil)
      case 6: return pair.change(using: &random)
      default: break
      }
      return nil
    }
  }

  @Test(
    "who is admitted is served in time, and who is refused is told the wait",
    arguments: Soak.seeds(400))
  func deadlines(seed: UInt64) {
    run(seed) { pair, step, random in
      if step == 0 { pair.pause(.random(in: 0...60, using: &random)) }
      guard Int.random(in: 0..<4, using: &random) == 0 else {
        pair.look()
        return nil
      }
      let timeout = [nil, 0, 5, 20, 60, 150].randomElement(using: &random)!
      return pair.call(cost(pair, &random), as: step, within: timeout)
    }
  }

  private func cost(_ pair: Pair, _ random: inout SplitMix64) -> Int {
    .random(in: 1...2 * pair.model.burst + 1, using: &random)
  }

  private func run(
    _ seed: UInt64, _ act: (inout Pair, _ step: Int, inout SplitMix64) -> String?
  ) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(using: &random)
    for step in 0..<250 {
      let difference = act(&pair, step, &random) ?? pair.difference()
      #expect(difference == nil, "seed \(seed), step \(step)")
      guard difference == nil else { return }
      pair.tick()
    }
  }
}
