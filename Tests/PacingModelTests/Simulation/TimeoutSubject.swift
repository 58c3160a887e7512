import Pacing
import PacingTesting
import TestSupport

/// A sequence with a time limit and a slow consumer, against one instant: the deadline.
final class TimeoutSubject: Subject {
  private enum Item { case value(Int), ending(Consumer.Ending) }

  private let source = Source<Int, Fault>()
  /// The time limit of each element but the first; nil for none.
  private let limit: Int?
  private var consumer: Consumer?
  /// Elements that arrived before they were requested.
  private var unread = [Item]()
  /// The deadline; nil while the clock is stopped, because two elements wait for the consumer.
  private var deadline: Int?
  private var sent = 0

  /// The maximum number of elements that wait for the consumer.
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

  /// Requests the next element from upstream, if there is room.
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
