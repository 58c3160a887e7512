import Pacing
import PacingTesting

@testable import TestSupport

/// A limiter with one or two windows and waiting callers, against a list of all costs spent.
final class WindowSubject: Subject {
  private var limiter: RateLimiter?
  private var windows: [NaiveWindow]
  private let capacity: Int
  private let origin: Int
  private var queue = [(name: Int, cost: Int, acquisition: Acquisition)]()
  private var names = 0
  private var time: Int

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let clock = scene.clock
    origin = clock.now.milliseconds
    time = origin
    var limits = [Limit]()
    windows = []
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let count = Int.random(in: 1...5, using: &random)
      let length = Int.random(in: 1...20, using: &random)
      if Bool.random(using: &random) {
        limits.append(.slidingWindow(count, per: .milliseconds(length)))
        windows.append(NaiveWindow(.sliding, count, per: length))
      } else {
        limits.append(.fixedWindow(count, per: .milliseconds(length)))
        windows.append(NaiveWindow(.fixedFromFirstEvent, count, per: length))
      }
    }
    capacity = windows.map(\.count).min()!
    super.init(scene)
    limiter = RateLimiter(limits, clock: clock)
  }

  private func allows(_ cost: Int, at time: Int) -> Bool {
    windows.allSatisfy { $0.allows(cost, at: time - origin) }
  }

  private func spend(_ cost: Int, at time: Int) {
    for index in windows.indices { _ = windows[index].tryAcquire(cost, at: time - origin) }
  }

  override var dueTime: Int? {
    guard let first = queue.first else { return nil }
    return (time...).first { allows(first.cost, at: $0) }
  }

  override func settle(at time: Int) {
    self.time = time
    while let first = queue.first, allows(first.cost, at: time) {
      queue.removeFirst()
      spend(first.cost, at: time)
      expect(1, lane: first.name, at: time)
    }
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let limiter else { return true }
    let cost = Int.random(in: 0...capacity, using: &random)
    let verb = Int.random(in: 0..<8, using: &random)
    if verb == 0 {
      guard let index = queue.indices.randomElement(using: &random) else { return true }
      let isWithdrawn = queue.remove(at: index).acquisition.cancel()
      settle(at: now)
      return isWithdrawn
    }
    settle(at: now)
    let isAllowed = cost == 0 || queue.isEmpty && allows(cost, at: now)
    switch verb {
    case 1..<4:
      if isAllowed { spend(cost, at: now) }
      return limiter.tryAcquire(cost) == isAllowed
    case 4:
      // A query serves the waiters whose time has come.
      let look = limiter.peek(cost)
      guard queue.isEmpty, !isAllowed else { return look.isAllowed == isAllowed }
      let due = (now...).first { allows(cost, at: $0) }!
      return look.retryAfter == .milliseconds(due - now)
    default:
      names += 1
      let name = names
      let acquisition = limiter.acquire(Costs(cost)) { [journal] _ in journal.note(1, lane: name) }
      if isAllowed {
        spend(cost, at: now)
        expect(1, lane: name, at: now)
      } else {
        queue.append((name, cost, acquisition))
      }
      return true
    }
  }

  override func end() {
    // From the end, so that no departure helps another waiter.
    for waiter in queue.reversed() { waiter.acquisition.cancel() }
    queue = []
    limiter = nil
  }
}
