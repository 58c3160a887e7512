import Pacing
import PacingTesting

@testable import TestSupport

/// A token bucket whose tokens are reserved, awaited, refunded and settled, against one that
/// recomputes each answer from the whole history.
final class ReservationSubject: Subject {
  private struct Held {
    let name: Int
    let due: Int
    let reservation: Reservation
    var isSettled = false
    var isUsed = false
    /// The task that waits for it.
    var waiter: Task<Void, Never>?
    var isAwaited: Bool { waiter != nil }
  }

  private enum Outcome {
    static let ready = 1
    static let cancelled = 2
  }

  /// The oracle's nanosecond is a millisecond here.
  private var oracle: ExactBucket
  private let origin: Int
  private var bucket: TokenBucket?
  private var held = [Held]()
  private var calls = 0

  /// The oracle's history is unbounded, so it ends after this many calls.
  private static let lifetime = 60

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let length = Int.random(in: 1...9, using: &random)
    let burst = Int.random(in: 1...5, using: &random)
    let initial = Int.random(in: 0...burst, using: &random)
    // One token at a time, so that everything happens in whole milliseconds.
    oracle = ExactBucket(tokens: 1, nanoseconds: length, burst: burst, initial: initial)
    origin = scene.clock.now.milliseconds
    super.init(scene)
    bucket = TokenBucket(
      rate: Rate(1, per: .milliseconds(length)), burst: burst, initial: initial,
      clock: scene.clock)
  }

  override var dueTime: Int? { held.filter(\.isAwaited).map(\.due).min() }

  override func settle(at time: Int) {
    for index in held.indices where held[index].isAwaited && held[index].due <= time {
      ready(index, at: time)
    }
  }

  private func ready(_ index: Int, at time: Int) {
    held[index].waiter = nil
    held[index].isUsed = true
    expect(Outcome.ready, lane: held[index].name, at: time)
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    calls += 1
    guard let bucket, calls < Self.lifetime else { return true }
    oracle.advance(to: now - origin)
    let cost = Int.random(in: 1...oracle.burst, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return bucket.tryAcquire(cost) == oracle.tryAcquire(cost)
    case 2..<5: return reserve(cost, bucket, &random)
    case 5, 6: return cancel(&random)
    case 7: wait(&random)
    case 8: settle(&random)
    case 9:
      bucket.add(cost)
      oracle.add(cost)
    case 10:
      bucket.penalize(cost)
      oracle.spend(cost)
    default:
      let wait = oracle.nanosecond(for: cost) + origin - now
      return bucket.peek(cost).retryAfter == .milliseconds(wait)
        && bucket.available == oracle.available
    }
    return true
  }

  private func reserve(_ cost: Int, _ bucket: TokenBucket, _ random: inout SplitMix64) -> Bool {
    let wait = oracle.dueAt(cost) + origin - now
    let limit = Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) : nil
    let timeout = limit.map { Duration.milliseconds($0) }
    guard let reservation = try? bucket.reserve(cost, within: timeout) else {
      return wait > limit ?? .max
    }
    guard wait <= limit ?? .max else { return false }
    _ = oracle.reserve(calls, cost: cost)
    held.append(Held(name: calls, due: now + wait, reservation: reservation))
    return reservation.delay == .milliseconds(wait)
  }

  private func cancel(_ random: inout SplitMix64) -> Bool {
    guard let index = held.indices.randomElement(using: &random) else { return true }
    let one = held[index]
    let isInTime = !one.isUsed && !one.isSettled && now <= one.due
    if isInTime {
      held.remove(at: index)
      oracle.correct(one.name, cost: 0)
      if one.isAwaited { expect(Outcome.cancelled, lane: one.name, at: now) }
    }
    return one.reservation.cancel() == isInTime
  }

  private func wait(_ random: inout SplitMix64) {
    let idle = held.indices.filter { !held[$0].isAwaited && !held[$0].isUsed }
    guard let index = idle.randomElement(using: &random) else { return }
    let (name, reservation) = (held[index].name, held[index].reservation)
    held[index].waiter = clock.run { [journal] in
      do {
        try await reservation.ready()
        journal.note(Outcome.ready, lane: name)
      } catch {
        journal.note(Outcome.cancelled, lane: name)
      }
    }
    if held[index].due <= now { ready(index, at: now) }
  }

  private func settle(_ random: inout SplitMix64) {
    let open = held.indices.filter { !held[$0].isSettled }
    guard let index = open.randomElement(using: &random) else { return }
    let one = held[index]
    let actual = Int.random(in: 0...one.reservation.cost + 1, using: &random)
    held[index].isSettled = true
    one.reservation.settle(actual: actual)
    if actual > one.reservation.cost {
      oracle.spend(actual - one.reservation.cost)
    } else {
      oracle.correct(one.name, cost: actual)
    }
  }

  override var description: String { "ReservationSubject of burst \(oracle.burst), \(held)" }

  override func end() {
    // A waiter keeps its reservation, so it is cancelled.
    for one in held {
      guard let waiter = one.waiter else { continue }
      waiter.cancel()
      expect(Outcome.cancelled, lane: one.name, at: now)
    }
    held = []
    bucket = nil
  }
}
