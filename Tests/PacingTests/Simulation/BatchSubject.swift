import Pacing
import PacingTesting
import TestSupport

/// A batcher beside a list of what it holds, with the time at which each element came.
final class BatchSubject: Subject {
  private let count: Int?
  private let weight: Int?
  private let delay: Int?
  private let gap: Int?
  private var held = [(value: Int, time: Int)]()
  private var batcher: Batcher<Int>?
  private var sent = 0

  init(_ scene: Scene, _ random: inout SplitMix64) {
    func maybe(_ range: ClosedRange<Int>) -> Int? {
      Bool.random(using: &random) ? Int.random(in: range, using: &random) : nil
    }
    (count, weight, delay, gap) = (maybe(1...5), maybe(1...9), maybe(0...30), maybe(0...15))
    super.init(scene)
    let limit = BatchLimit(
      maximumCount: count, maximumWeight: weight,
      maximumDelay: delay.map { .milliseconds($0) }, idleGap: gap.map { .milliseconds($0) })
    batcher = Batcher(limit, weigh: Self.weight, clock: scene.clock) { [journal] batch in
      journal.note(Self.number(batch))
    }
  }

  private static let weight: @Sendable (Int) -> Int = { $0 % 4 }

  private static func number(_ elements: [Int]) -> Int {
    elements.reduce(elements.count) { $0 &* 1_000_003 &+ $1 }
  }

  private var values: [Int] { held.map(\.value) }

  override var dueTime: Int? {
    guard let first = held.first, let last = held.last else { return nil }
    return [delay.map { first.time + $0 }, gap.map { last.time + $0 }].compactMap(\.self).min()
  }

  private var isFull: Bool {
    held.count >= count ?? .max
      || weight.map { values.map(Self.weight).reduce(0, +) >= $0 } ?? false
  }

  override func settle(at time: Int) {
    if let due = dueTime, due <= time { close(at: time) }
  }

  private func close(at time: Int) {
    guard !held.isEmpty else { return }
    expect(Self.number(values), at: time)
    held = []
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let batcher else { return true }
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<9:
      settle(at: now)
      // One that would make the batch too heavy begins the next.
      if let weight, !held.isEmpty,
        values.map(Self.weight).reduce(Self.weight(sent), +) > weight
      {
        close(at: now)
      }
      held.append((sent, now))
      if isFull { close(at: now) }
      settle(at: now)
      batcher.send(sent)
      sent += 1
      return true
    case 9, 10:
      settle(at: now)
      let isHeld = !held.isEmpty
      close(at: now)
      return batcher.flush() == isHeld
    default:
      let withdrawn = values
      held = []
      return batcher.cancel() == withdrawn
    }
  }

  override var isConsistent: Bool {
    guard let counts = batcher?.statistics else { return true }
    return counts.pending == held.count && counts.received == sent
      && sent == counts.delivered + counts.merged + counts.dropped + counts.pending
  }

  override func end() {
    batcher = nil
    held = []
  }
}
