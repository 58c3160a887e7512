import Pacing
import PacingTesting

/// A task that reads a sequence and is busy with each element until it is told to go on; and what
/// it should find there.
final class Consumer {
  /// What the journal has where a sequence has ended.
  enum Ending: Int {
    case end = -1
    case fault = -2
    case timeout = -3
  }

  private let turns = Turns()
  private let lane: Int
  private let task: Task<Void, Never>
  /// Whether it finds all that came while it was busy, or the newest.
  private let findsAll: Bool
  private var waiting = [Int]()
  private var isBusy = false
  private var ending: Ending?
  private(set) var hasLeft = false
  private(set) var hasEnded = false

  /// - Parameters:
  ///   - journal: Where it notes each element and the end.
  ///   - lane: In whose turn it notes them.
  ///   - findsAll: Whether all elements wait for it.
  ///   - values: The sequence; to read it begins at once.
  ///   - number: What is noted of an element.
  init<Values: AsyncSequence & Sendable>(
    _ journal: Journal, lane: Int = 0, findsAll: Bool = false,
    _ values: @escaping @Sendable () -> Values,
    number: @escaping @Sendable (Values.Element) -> Int
  ) {
    let turns = turns
    self.lane = lane
    self.findsAll = findsAll
    task = journal.clock.run {
      var ending = Ending.end
      do {
        for try await value in values() {
          journal.note(number(value), lane: lane)
          await turns.wait()
        }
      } catch {
        ending = error is TimeoutError ? .timeout : .fault
      }
      journal.note(ending.rawValue, lane: lane)
    }
    journal.clock.runReady()
  }

  convenience init<Values: AsyncSequence & Sendable>(
    _ journal: Journal, findsAll: Bool = false, _ values: @escaping @Sendable () -> Values
  ) where Values.Element == Int {
    self.init(journal, findsAll: findsAll, values) { $0 }
  }

  /// How many elements wait for it.
  var count: Int { waiting.count }

  func offer(_ value: Int, at time: Int, in subject: Subject) {
    guard !hasEnded else { return }
    if isBusy {
      if !findsAll { waiting = [] }
      waiting.append(value)
    } else {
      subject.expect(value, lane: lane, at: time)
      isBusy = true
    }
  }

  /// The sequence ends when what waits there has been taken.
  func finish(_ ending: Ending = .end, at time: Int, in subject: Subject) {
    self.ending = self.ending ?? ending
    if !isBusy { end(at: time, in: subject) }
  }

  func goOn(at time: Int, in subject: Subject) {
    guard turns.goOn(), isBusy else { return }
    isBusy = false
    if !hasLeft, !waiting.isEmpty {
      offer(waiting.removeFirst(), at: time, in: subject)
    } else {
      end(at: time, in: subject)
    }
  }

  /// Its task is cancelled; it knows when it asks for the next element.
  func cancel(at time: Int, in subject: Subject) {
    task.cancel()
    hasLeft = true
    ending = .end
    if !isBusy { end(at: time, in: subject) }
  }

  /// What waits is withdrawn.
  func withdraw() -> [Int] {
    defer { waiting = [] }
    return waiting
  }

  private func end(at time: Int, in subject: Subject) {
    guard let ending, !hasEnded else { return }
    hasEnded = true
    waiting = []
    subject.expect(ending.rawValue, lane: lane, at: time)
  }
}
