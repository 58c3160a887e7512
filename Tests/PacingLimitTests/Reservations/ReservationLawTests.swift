import Pacing
import Testing

@testable import TestSupport

@Suite("BucketState: laws of reservations")
struct ReservationLawTests {
  /// A reservation and its state.
  struct Held {
    let name: Int
    let reserved: BucketState<Int>.Reserved
    let cost: Int
    var isSettled = false
  }

  /// A small random bucket and its oracle.
  struct Pair {
    var bucket: BucketState<Int>
    var oracle: ExactBucket
    var held = [Held]()
    var places = [(name: Int, place: BucketState<Int>.Place)]()
    var served = [(name: Int, at: Int)]()
    var now = 0

    init(using random: inout SplitMix64) {
      let tokens = Int.random(in: 1...3, using: &random)
      let nanoseconds = Int.random(in: 1...9, using: &random)
      let burst = Int.random(in: 1...5, using: &random)
      let initial = Int.random(in: 0...burst, using: &random)
      bucket = BucketState(
        rate: Rate(tokens, per: .nanoseconds(nanoseconds)), burst: burst, initial: initial,
        at: Self.at(0))
      oracle = ExactBucket(
        tokens: tokens, nanoseconds: nanoseconds, burst: burst, initial: initial)
    }

    static func at(_ nanosecond: Int) -> PacingInstant {
      PacingInstant(nanoseconds: Nanoseconds(nanosecond))
    }

    var instant: PacingInstant { Self.at(now) }

    mutating func advance(to next: Int) {
      while bucket.deadline <= Self.at(next) {
        let due = bucket.deadline
        guard let name = bucket.grantNext(at: due) else {
          Issue.record("nothing to grant at the deadline")
          return
        }
        served.append((name, Int(due.nanoseconds)))
      }
      now = next
      oracle.advance(to: now)
      // As each call does first: no grant counts from before a review at which it was not due.
      serve()
    }

    mutating func serve() {
      while let name = bucket.grantNext(at: instant) { served.append((name, now)) }
    }
  }

  @Test(
    "golang/go#69419, #56924: after any mix of calls the tokens are those of an exact model",
    arguments: Soak.seeds(150))
  func agrees(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(using: &random)
    for name in 0..<45 {
      pair.advance(to: pair.now + [0, 0, 0, 1, 1, 2, 5, 12].randomElement(using: &random)!)
      act(on: &pair, name, using: &random)
      pair.serve()
      let available = pair.bucket.available(at: pair.instant)
      #expect(available == pair.oracle.available, "seed \(seed), call \(name)")
      let cost = Int.random(in: 1...pair.oracle.burst, using: &random)
      let wait = pair.bucket.peek(cost, at: pair.instant).retryAfter
      let due = pair.oracle.nanosecond(for: cost)
      #expect(wait == .nanoseconds(due - pair.now), "seed \(seed), call \(name)")
      #expect(pair.bucket.waitingCount == pair.oracle.waiting.count)
      guard available == pair.oracle.available else { return }
    }
    #expect(pair.served.map(\.name) == pair.oracle.served.map(\.name), "seed \(seed)")
    #expect(pair.served.map(\.at) == pair.oracle.served.map(\.at), "seed \(seed)")
  }

  private func act(on pair: inout Pair, _ name: Int, using random: inout SplitMix64) {
    let cost = Int.random(in: 1...pair.oracle.burst, using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1:
      let isAllowed = pair.bucket.tryAcquire(cost, at: pair.instant)
      #expect(isAllowed == pair.oracle.tryAcquire(cost))
    case 2...5: reserve(on: &pair, name, cost: cost)
    case 6, 7: cancel(on: &pair, using: &random)
    case 8, 9: settle(on: &pair, using: &random)
    case 10: wait(on: &pair, name, cost: cost)
    case 11:
      guard let index = pair.places.indices.randomElement(using: &random) else { return }
      let (name, place) = pair.places.remove(at: index)
      let left = pair.bucket.withdraw(place)
      #expect((left != nil) == pair.oracle.waiting.contains(name))
      pair.oracle.leave(name)
    case 12:
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        pair.bucket.add(cost, at: pair.instant)
        pair.oracle.add(cost)
      case 1:
        pair.bucket.penalize(cost, at: pair.instant)
        pair.oracle.spend(cost)
      default:
        _ = pair.bucket.drain(at: pair.instant)
        pair.oracle.drain()
      }
    default:
      guard Int.random(in: 0..<3, using: &random) == 0 else { return }
      let end = pair.now + Int.random(in: 1...6, using: &random)
      pair.bucket.pause(until: Pair.at(end), at: pair.instant)
      pair.oracle.pause(until: end)
    }
  }

  private func reserve(on pair: inout Pair, _ name: Int, cost: Int) {
    guard case .success(let reserved) = pair.bucket.reserve(cost, at: pair.instant) else {
      Issue.record("refused within the burst and without a deadline")
      return
    }
    let due = pair.oracle.nanosecond(of: pair.oracle.reserve(name, cost: cost))
    #expect(reserved.due == Pair.at(due))
    pair.held.append(Held(name: name, reserved: reserved, cost: cost))
  }

  private func cancel(on pair: inout Pair, using random: inout SplitMix64) {
    guard let index = pair.held.indices.randomElement(using: &random) else { return }
    let held = pair.held[index]
    guard !held.isSettled else { return }
    let isCancelled = pair.bucket.cancel(held.reserved, cost: held.cost, at: pair.instant)
    #expect(isCancelled == (pair.instant <= held.reserved.due))
    guard isCancelled else { return }
    pair.held.remove(at: index)
    pair.oracle.correct(held.name, cost: 0)
  }

  private func settle(on pair: inout Pair, using random: inout SplitMix64) {
    guard let index = pair.held.indices.randomElement(using: &random) else { return }
    let held = pair.held.remove(at: index)
    let actual = Int.random(in: 0...held.cost + 1, using: &random)
    pair.bucket.settle(held.reserved, cost: held.cost, actual: actual, at: pair.instant)
    if actual > held.cost {
      pair.oracle.spend(actual - held.cost)
    } else {
      pair.oracle.correct(held.name, cost: actual)
    }
  }

  private func wait(on pair: inout Pair, _ name: Int, cost: Int) {
    switch pair.bucket.admit(cost, within: nil, at: pair.instant) {
    case .granted:
      let isGranted = pair.oracle.tryAcquire(cost)
      #expect(isGranted)
    case .mustWait:
      pair.places.append((name, pair.bucket.join(cost, as: name)))
      pair.oracle.wait(name, cost: cost)
    case .refused: Issue.record("refused within the burst and without a deadline")
    }
  }
}
