import Pacing
import PacingTesting
import TestSupport

/// A retry timer against a list of the expected waits of its attempts.
final class RetrySubject: Subject {
  private let base: Int
  private let cap: Int
  private let count: Int?
  private var timer: RetryTimer?
  private var made = 0
  private var pending: (number: Int, due: Int)?

  init(_ scene: Scene, _ random: inout SplitMix64) {
    base = Int.random(in: 0...8, using: &random)
    cap = Int.random(in: 0...60, using: &random)
    count = Bool.random(using: &random) ? Int.random(in: 1...6, using: &random) : nil
    super.init(scene)
    let backoff = Backoff.doubling(from: base, cap: cap, count: count ?? .max)
    timer = RetryTimer(backoff: backoff, clock: scene.clock) { [journal] in
      journal.note($0.number)
    }
  }

  override var dueTime: Int? { pending?.due }

  override func settle(at time: Int) {
    guard let due = pending?.due, due <= time else { return }
    expect(pending!.number, at: time)
    pending = nil
  }

  /// The expected wait of the next attempt: the base, doubled per attempt made.
  private var delay: Int? {
    if let count, made >= count { return nil }
    return min(cap, (0..<made).reduce(base) { delay, _ in min(delay * 2, 1_000) })
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let timer else { return true }
    switch Int.random(in: 0..<11, using: &random) {
    case 0..<7:
      let given = Bool.random(using: &random) ? nil : Int.random(in: -1...20, using: &random)
      let isDecided = pending.map { $0.due <= now } ?? false
      settle(at: now)
      var expected: Int?
      if !isDecided, pending == nil, let delay {
        made += 1
        expected = made
        pending = (made, now + max(delay, given ?? 0))
        settle(at: now)
      }
      let attempt =
        given.map { timer.scheduleNext(after: .milliseconds($0)) } ?? timer.scheduleNext()
      return attempt?.number == expected
    case 7:
      let wasPending = pending != nil
      pending = nil
      return timer.cancel() == wasPending
    case 8:
      let wasPending = pending != nil
      (pending, made) = (nil, 0)
      return timer.reset() == wasPending
    case 9:
      let isDecided = pending.map { $0.due <= now } ?? false
      settle(at: now)
      let expected = isDecided ? nil : pending?.number
      if let expected { pending = (expected, now) }
      settle(at: now)
      return timer.attemptNow()?.number == expected
    default:
      settle(at: now)
      made = 0
      timer.succeeded()
      return true
    }
  }

  override var isConsistent: Bool { timer.map { $0.isPending == (pending != nil) } ?? true }

  override func end() {
    timer = nil
    pending = nil
  }
}

extension Backoff {
  /// An exponential backoff of that many delays, in milliseconds.
  static func doubling(from base: Int, cap: Int, count: Int) -> Backoff {
    let endless = exponential(from: .milliseconds(base)).capped(at: .milliseconds(cap))
    guard count < .max else { return endless }
    return .list(Array(endless.delays().prefix(count)))
  }
}
