import Pacing
import PacingTesting

/// A task that reads a stream and is busy with each value until it is told to go on; and what it
/// should find there.
final class Consumer {
  private let turns = Turns()
  private let task: Task<Void, Never>
  private var isBusy = false
  /// The newest value that came while it was busy.
  private var waiting: Int?
  private var isOver = false
  private(set) var hasLeft = false
  private var hasEnded = false

  /// What the journal has where a stream has ended.
  static let end = -1

  init<Values: AsyncSequence & Sendable>(
    _ journal: Journal, _ values: @escaping @Sendable () -> Values
  ) where Values.Element == Int {
    let turns = turns
    task = journal.clock.run {
      do {
        for try await value in values() {
          journal.note(value)
          await turns.wait()
        }
      } catch {}
      journal.note(Self.end)
    }
  }

  func offer(_ value: Int, at time: Int, in subject: Subject) {
    guard !hasEnded else { return }
    if isBusy {
      waiting = value
    } else {
      subject.expect(value, at: time)
      isBusy = true
    }
  }

  /// The stream ends when what waits there has been taken.
  func finish(at time: Int, in subject: Subject) {
    isOver = true
    if !isBusy { ended(at: time, in: subject) }
  }

  func goOn(at time: Int, in subject: Subject) {
    guard turns.goOn(), isBusy else { return }
    isBusy = false
    if let value = waiting.take(), !hasLeft {
      offer(value, at: time, in: subject)
    } else if isOver {
      ended(at: time, in: subject)
    }
  }

  func cancel(at time: Int, in subject: Subject) {
    task.cancel()
    hasLeft = true
    isOver = true
    if !isBusy { ended(at: time, in: subject) }
  }

  /// What waits is withdrawn.
  func withdraw() -> Int? { waiting.take() }

  private func ended(at time: Int, in subject: Subject) {
    guard !hasEnded else { return }
    hasEnded = true
    subject.expect(Self.end, at: time)
  }
}
