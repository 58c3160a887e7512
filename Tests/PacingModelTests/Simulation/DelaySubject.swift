import Pacing
import PacingTesting
import TestSupport

/// A delayed sequence with a slow consumer, against a queue of elements and their due times.
final class DelaySubject: Subject {
  private let source = Source<Int, Fault>()
  private let delay: Int
  /// The instant at which elements leave, instead of after a delay.
  private let instant: Int?
  private let includesEnd: Bool
  private let atEnd: Finish?
  private let onError: Finish
  private var consumer: Consumer?
  private var line = [(value: Int, due: Int)]()
  private var ending: (value: Consumer.Ending, due: Int)?
  private var sent = 0

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let (start, clock) = (scene.clock.now.milliseconds, scene.clock)
    delay = Int.random(in: 0...20, using: &random)
    instant = Bool.random(using: &random) ? start + Int.random(in: 0...40, using: &random) : nil
    includesEnd = Bool.random(using: &random)
    (atEnd, onError) = (.perhaps(&random), .random(&random))
    super.init(scene)
    let values =
      if let instant {
        source.delayed(
          until: .at(instant), includingEnd: includesEnd, atEnd: atEnd, onError: onError,
          clock: clock)
      } else {
        source.delayed(
          by: .milliseconds(delay), includingEnd: includesEnd, atEnd: atEnd, onError: onError,
          clock: clock)
      }
    consumer = Consumer(journal, findsAll: true) { values }
  }

  /// When an element that arrives now leaves.
  private var due: Int { instant.map { max(now, $0) } ?? now + delay }

  override var dueTime: Int? { line.first?.due ?? ending?.due }

  override func settle(at time: Int) {
    while let first = line.first, first.due <= time {
      line.removeFirst()
      consumer?.offer(first.value, at: time, in: self)
    }
    if line.isEmpty, let ending, ending.due <= time {
      consumer?.finish(ending.value, at: time, in: self)
      isOver = true
      self.ending = nil
    }
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<12 where ending == nil && !isOver: send()
    case 12 where sent > 20 && ending == nil && !isOver:
      finish(Bool.random(using: &random) ? .end : .fault)
    case 13 where sent > 20: leave()
    default: consumer?.goOn(at: now, in: self)
    }
    return true
  }

  private func send() {
    settle(at: now)
    line.append((sent, due))
    settle(at: now)
    source.send(sent)
    sent += 1
  }

  private func finish(_ value: Consumer.Ending) {
    settle(at: now)
    let policy = value == .end ? atEnd ?? .whenDue : onError
    ending = (value, policy == .whenDue && includesEnd ? due : now)
    if policy == .atOnce { line = line.map { ($0.value, now) } }
    if policy == .discard { line = [] }
    settle(at: now)
    source.finish(throwing: value == .fault ? Fault() : nil)
  }

  private func leave() {
    consumer?.cancel(at: now, in: self)
    (line, ending, isOver) = ([], nil, true)
  }

  override var description: String {
    "DelaySubject by \(delay) or until \(instant, default: "never"), \(line), \(sent) sent"
  }

  override func end() {
    leave()
    consumer?.goOn(at: now, in: self)
  }
}
