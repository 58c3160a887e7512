import Pacing
import PacingTesting

/// A task that reads a sequence and is busy with each element until told to continue, with its
/// expected elements.
final class Consumer {
  /// Journal entries for the end of a sequence.
  enum Ending: Int {
    case end = -1
    case fault = -2
    case timeout = -3
  }

  private let turns = Turns()
  private let lane: Int
  private let task: Task<Void, Never>
  /// Whether it receives all elements that arrived while it was busy, or only the newest.
  private let findsAll: Bool
  private(set) var waiting = [Int]()
  private var isBusy = false
  private var ending: Ending?
  private(set) var hasLeft = false
  private(set) var hasEnded = false

  /// - Parameters:
  ///   - journal: The journal of elements and the end.
  ///   - lane: The lane of its entries.
  ///   - findsAll: Whether all elements wait for it.
  ///   - values: The sequence, read immediately.
  ///   - number: The number that represents an element.
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

  /// The number of elements that wait for it.
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

  /// Ends the sequence after the waiting elements.
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

  /// Cancels its task, which takes effect at the next request for an element.
  func cancel(at time: Int, in subject: Subject) {
    task.cancel()
    hasLeft = true
    ending = .end
    if !isBusy { end(at: time, in: subject) }
  }

  /// Withdraws the waiting elements.
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
