import Pacing
import PacingTesting

/// A task that reads the stream of a keyed tool and is busy with each element until told to
/// continue, with its expected elements: the newest value of each key, in the place of the first.
///
/// The order of keys at one instant is unspecified: any of them may be first.
final class KeyedReader {
  /// The lane of the stream's end.
  private static let ends = -1

  /// An event, compared once the tool has run.
  private typealias Event = (values: [(key: Int, value: Int)], time: Int)

  private let turns = Turns()
  private let task: Task<Void, Never>
  private var events = [Event]()
  private var line = [(key: Int, value: Int, group: Int)]()
  private var groups = 0
  private var isBusy = false
  private var isOver = false
  private var hasLeft = false
  private(set) var hasEnded = false

  init(_ journal: Journal, _ values: AsyncStream<(key: Int, value: Int)>) {
    task = journal.clock.run { [turns] in
      for await (key, value) in values {
        journal.note(value, lane: key)
        await turns.wait()
      }
      journal.note(0, lane: Self.ends)
    }
    journal.clock.runReady()
  }

  /// Offers values of different keys at one instant.
  func offer(_ values: [(key: Int, value: Int)], at time: Int) {
    events.append((values, time))
  }

  /// Ends the stream after the waiting elements.
  func finish(at time: Int) {
    isOver = true
    events.append(([], time))
  }

  func goOn(at time: Int) {
    guard turns.goOn(), isBusy else { return }
    isBusy = false
    events.append(([], time))
  }

  /// Cancels the task, which takes effect at the next request for an element.
  func cancel(at time: Int) {
    task.cancel()
    hasLeft = true
    events.append(([], time))
  }

  /// Withdraws the waiting elements of one key or of all.
  func withdraw(_ key: Int? = nil) -> [Int: Int] {
    let withdrawn = line.filter { $0.key == key ?? $0.key }
    line.removeAll { $0.key == key ?? $0.key }
    return Dictionary(uniqueKeysWithValues: withdrawn.map { ($0.key, $0.value) })
  }

  /// Expects the elements that result from all events.
  func settle(in subject: Subject) {
    for (values, time) in events where !hasEnded {
      groups += 1
      for (key, value) in values { add(key, value) }
      guard !isBusy else { continue }
      if !hasLeft, !line.isEmpty {
        take(at: time, in: subject)
      } else if hasLeft || isOver {
        hasEnded = true
        line = []
        subject.expect(0, lane: Self.ends, at: time)
      }
    }
    events = []
  }

  private func add(_ key: Int, _ value: Int) {
    if let index = line.firstIndex(where: { $0.key == key }) {
      line[index].value = value
    } else {
      line.append((key, value, groups))
    }
  }

  private func take(at time: Int, in subject: Subject) {
    let first = line.prefix { $0.group == line[0].group }
    let index = first.firstIndex {
      subject.journal.contains(Entry(lane: $0.key, value: $0.value, time: time))
    }
    let taken = line.remove(at: index ?? 0)
    subject.expect(taken.value, lane: taken.key, at: time)
    isBusy = true
  }
}
