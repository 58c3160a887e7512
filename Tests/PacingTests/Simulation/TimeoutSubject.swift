import Pacing
import PacingTesting
import TestSupport

/// A sequence with a time limit and a slow consumer, beside one instant: when the limit is over.
final class TimeoutSubject: Subject {
  private enum Item { case value(Int), ending(Consumer.Ending) }

  private let source = Source<Int, Fault>()
  /// How long each element may take but the first, nil for any time.
  private let limit: Int?
  private var consumer: Consumer?
  /// What has come, and was not asked for yet.
  private var unread = [Item]()
  /// When time is over; nil while it does not run, as two elements wait for the consumer.
  private var deadline: Int?
  private var sent = 0

  /// How many elements wait for the consumer at the most.
  private static let room = 2

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let clock = scene.clock
    let first = Int.random(in: 0...80, using: &random)
    limit = Int.random(in: 0..<4, using: &random) > 0 ? .random(in: 10...80, using: &random) : nil
    super.init(scene)
    let values =
      if let limit {
        source.timeout(after: .milliseconds(limit), first: .milliseconds(first), clock: clock)
      } else {
        source.timeout(first: .milliseconds(first), clock: clock)
      }
    consumer = Consumer(journal, findsAll: true) { values }
    deadline = now + first
    settle(at: now)
  }

  override var dueTime: Int? { deadline }

  override func settle(at time: Int) {
    if let deadline, deadline <= time { close(.timeout, at: time) }
  }

  private func close(_ ending: Consumer.Ending, at time: Int) {
    deadline = nil
    isOver = true
    consumer?.finish(ending, at: time, in: self)
  }

  /// Whether upstream is asked for the next element.
  private func ask() {
    guard !isOver, deadline == nil, let consumer, consumer.count < Self.room else { return }
    deadline = limit.map { now + $0 } ?? .max
    read()
  }

  private func read() {
    while deadline != nil, !unread.isEmpty {
      settle(at: now)
      guard !isOver else { return }
      switch unread.removeFirst() {
      case .ending(let ending): close(ending, at: now)
      case .value(let value):
        deadline = nil
        consumer?.offer(value, at: now, in: self)
        ask()
      }
    }
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9:
      source.send(sent)
      add(.value(sent))
      sent += 1
    case 9 where sent > 20 && Bool.random(using: &random):
      source.finish()
      add(.ending(.end))
    case 10 where sent > 20 && Bool.random(using: &random):
      source.finish(throwing: Fault())
      add(.ending(.fault))
    case 11 where sent > 20 && Bool.random(using: &random): leave()
    default:
      consumer?.goOn(at: now, in: self)
      ask()
    }
    return true
  }

  private func add(_ item: Item) {
    unread.append(item)
    read()
  }

  private func leave() {
    consumer?.cancel(at: now, in: self)
    deadline = nil
    isOver = true
  }

  override var description: String {
    "TimeoutSubject after \(limit, default: "any time"), due at \(deadline, default: "no time")"
  }

  override func end() {
    leave()
    consumer?.goOn(at: now, in: self)
  }
}
