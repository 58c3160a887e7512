import Pacing
import PacingTesting
import TestSupport

/// A token bucket with callers that wait, leave and are cancelled, against one that counts in parts
/// of a token, millisecond by millisecond.
final class BucketSubject: Subject {
  private struct Waiter {
    let name: Int
    let cost: Int
    /// A grant effective after this time is too late.
    let deadline: Int
    let leave: () -> Void

    var isTimed: Bool { deadline < .max }
  }

  /// Parts per token, divisible by the refill per millisecond, so that everything happens in whole
  /// milliseconds.
  private static let token = 60

  private var bucket: TokenBucket?
  private var gain: Int
  private var burst: Int
  private var level: Int
  private var time: Int
  private var queue = [Waiter]()
  private var names = 0

  private enum Outcome {
    static let granted = 1
    static let refused = 2
    static let cancelled = 3
  }

  init(_ scene: Scene, _ random: inout SplitMix64) {
    gain = [1, 2, 3, 4, 6, 12, 60].randomElement(using: &random)!
    burst = Int.random(in: 1...6, using: &random)
    let initial = Int.random(in: 0...burst, using: &random)
    level = initial * Self.token
    time = scene.clock.now.milliseconds
    super.init(scene)
    bucket = TokenBucket(
      rate: Self.rate(gain), burst: burst, initial: initial,
      queue: QueuePolicy(catchUp: .zero), clock: scene.clock)
  }

  private static func rate(_ gain: Int) -> Rate { Rate(gain, per: .milliseconds(token)) }

  // MARK: The oracle

  private func pass(to instant: Int) {
    while time < instant {
      level = min(level + gain, burst * Self.token)
      time += 1
    }
  }

  override var dueTime: Int? {
    guard let first = queue.first else { return nil }
    let due = time + time(for: first.cost * Self.token - level)
    return queue.reduce(due) { min($0, $1.deadline) }
  }

  /// The time until `parts` refill, by trial.
  private func time(for parts: Int) -> Int {
    var (missing, wait) = (parts, 0)
    while missing > 0 { (missing, wait) = (missing - gain, wait + 1) }
    return wait
  }

  override func settle(at instant: Int) {
    pass(to: instant)
    while let first = queue.first {
      let isDue = level >= first.cost * Self.token
      guard isDue || first.deadline <= instant else { return }
      queue.removeFirst()
      let isGranted = isDue && first.deadline >= instant
      if isGranted { level -= first.cost * Self.token }
      expect(isGranted ? Outcome.granted : Outcome.refused, lane: first.name, at: instant)
    }
  }

  /// Each waiter has a timer for its deadline; only the first is refused without.
  override func pass(from start: Int, to end: Int) {
    while let due = dueTime, due <= end {
      settle(at: max(due, start))
      for waiter in queue where waiter.deadline <= max(due, start) {
        expect(Outcome.refused, lane: waiter.name, at: max(due, start))
      }
      queue.removeAll { $0.deadline <= max(due, start) }
    }
  }

  /// The wait a new caller would face, without late timers.
  private func wait(for cost: Int) -> Int { wait(for: cost, behind: queue.map(\.cost)) }

  private func wait(for cost: Int, behind ahead: [Int]) -> Int {
    var (level, wait) = (level, 0)
    for cost in ahead + [cost] {
      while level < cost * Self.token {
        (level, wait) = (min(level + gain, burst * Self.token), wait + 1)
      }
      level -= cost * Self.token
    }
    return wait
  }

  // MARK: The calls

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let bucket else { return true }
    let cost = Int.random(in: 0...(burst + 1), using: &random)
    let verb = Int.random(in: 0..<16, using: &random)
    if verb == 6 { return leave(&random) }
    settle(at: now)
    switch verb {
    case 0..<2: return bucket.tryAcquire(cost) == spend(cost)
    case 2: return request(cost, bucket)
    case 3, 4, 5: wait(cost, bucket, &random)
    case 8:
      bucket.add(cost)
      level = min(level + cost * Self.token, burst * Self.token)
    case 9 where !queue.contains(where: \.isTimed):
      bucket.penalize(cost)
      level -= cost * Self.token
    case 10 where queue.isEmpty:
      let taken = min(cost, max(0, level / Self.token))
      level -= taken * Self.token
      return bucket.take(upTo: cost) == taken
    case 11 where queue.allSatisfy { !$0.isTimed && $0.cost < burst }:
      burst += Bool.random(using: &random) || burst == 1 ? 1 : -1
      level = min(level, burst * Self.token)
      bucket.reconfigure(burst: burst)
    case 12 where !queue.contains(where: \.isTimed):
      let gains = [1, 2, 3, 4, 6, 12, 60].filter { level.isMultiple(of: $0) }
      gain = gains.randomElement(using: &random)!
      bucket.reconfigure(rate: Self.rate(gain))
    case 13 where names > 60 && Int.random(in: 0..<20, using: &random) == 0: close(bucket)
    default:
      // A query serves the waiters whose tokens have arrived.
      let whole = level < 0 ? -((-level + Self.token - 1) / Self.token) : level / Self.token
      return bucket.available == whole - queue.reduce(0) { $0 + $1.cost }
        && bucket.waitingCount == queue.count
    }
    settle(at: now)
    return true
  }

  private func spend(_ cost: Int) -> Bool {
    if cost == 0 { return true }
    guard queue.isEmpty, level >= cost * Self.token else { return false }
    level -= cost * Self.token
    return true
  }

  private func request(_ cost: Int, _ bucket: TokenBucket) -> Bool {
    let expected: Duration? =
      cost > burst ? nil : .milliseconds(cost == 0 ? 0 : wait(for: cost))
    let look = bucket.peek(cost)
    guard look.retryAfter == expected || look.isAllowed else { return false }
    return look.isAllowed == (expected == .zero) && bucket.request(cost).isAllowed == spend(cost)
  }

  private func wait(_ cost: Int, _ bucket: TokenBucket, _ random: inout SplitMix64) {
    names += 1
    let name = names
    let timeout = Bool.random(using: &random) ? Int.random(in: -1...30, using: &random) : nil
    let limit = timeout.map { Duration.milliseconds($0) }
    let expected: Int? = cost > burst ? nil : cost == 0 ? 0 : wait(for: cost)
    let isInTime = expected.map { $0 <= max(0, timeout ?? .max) } ?? false
    let leave: () -> Void
    if Bool.random(using: &random) {
      let acquisition = bucket.acquire(Costs(cost), within: limit) { [journal] result in
        switch result {
        case .success: journal.note(Outcome.granted, lane: name)
        case .failure: journal.note(Outcome.refused, lane: name)
        }
      }
      leave = { acquisition.cancel() }
    } else {
      // The request keeps the bucket alive, so that its place in the queue is equivalent to any
      // other.
      let task = clock.run { [journal] in
        do {
          try await bucket.acquire(cost, within: limit)
          journal.note(Outcome.granted, lane: name)
        } catch is CancellationError {
          journal.note(Outcome.cancelled, lane: name)
        } catch {
          journal.note(Outcome.refused, lane: name)
        }
      }
      leave = { [weak self] in
        task.cancel()
        if let self { expect(Outcome.cancelled, lane: name, at: now) }
      }
    }
    guard isInTime else { return expect(Outcome.refused, lane: name, at: now) }
    if cost == 0 || queue.isEmpty && level >= cost * Self.token {
      level -= cost * Self.token
      return expect(Outcome.granted, lane: name, at: now)
    }
    queue.append(
      Waiter(
        name: name, cost: cost, deadline: timeout.map { now + max(0, $0) } ?? .max, leave: leave))
  }

  private func leave(_ random: inout SplitMix64) -> Bool {
    guard let index = queue.indices.randomElement(using: &random) else { return true }
    // Leaving wins over a late grant.
    queue.remove(at: index).leave()
    settle(at: now)
    return true
  }

  private func close(_ bucket: TokenBucket) {
    for waiter in queue { expect(Outcome.refused, lane: waiter.name, at: now) }
    queue = []
    bucket.close()
    self.bucket = nil
  }

  override var description: String {
    "BucketSubject of burst \(burst), \(gain) parts in a millisecond, \(level) there, \(queue)"
  }

  override func end() {
    // From the end, so that no departure helps another waiter.
    for waiter in queue.reversed() { waiter.leave() }
    queue = []
    bucket = nil
  }
}
