import Pacing
import PacingTesting
import TestSupport

/// A specification of windows by key, as plain as possible: each key's first value sets when the
/// newest is due, and one key more delivers what is due first.
final class NaiveWindows: TimerTarget {
  private struct Entry {
    let key: Int
    let value: Int
    let due: Int
  }

  private let clock: ManualClock
  private let keys: Int
  private let maximum: Int
  private let due: @Sendable (Int) -> Int
  private let deliver: @Sendable (Int) -> Void
  /// In the order of the newest values.
  private let waiting = EventRecorder<Entry>()

  init(
    _ clock: ManualClock, keys: Int, maximum: Int,
    due: @escaping @Sendable (Int) -> Int, deliver: @escaping @Sendable (Int) -> Void
  ) {
    (self.clock, self.keys, self.maximum) = (clock, keys, maximum)
    (self.due, self.deliver) = (due, deliver)
  }

  func send(_ value: Int) {
    settle()
    var entries = waiting.takeAll()
    if let index = entries.firstIndex(where: { $0.key == value % keys }) {
      entries.append(Entry(key: value % keys, value: value, due: entries.remove(at: index).due))
    } else {
      if entries.count >= maximum {
        // The first of those that are due first.
        let index = entries.indices.min { entries[$0].due < entries[$1].due }!
        deliver(entries.remove(at: index).value)
      }
      let instant = due(clock.now.milliseconds)
      entries.append(Entry(key: value % keys, value: value, due: instant))
      _ = clock.service.schedule(self, at: .at(instant))
    }
    for entry in entries { waiting.record(entry) }
    settle()
  }

  func finish(_ policy: Finish) {
    settle()
    guard policy != .whenDue else { return }
    let rest = waiting.takeAll()
    // No key precedes another at the end.
    if policy != .discard { for entry in rest { deliver(entry.value) } }
  }

  func wake(_ handle: TimerService.Handle) { settle() }

  /// Delivers what is due, the earliest first.
  private func settle() {
    let (entries, now) = (waiting.takeAll(), clock.now.milliseconds)
    for entry in entries where entry.due > now { waiting.record(entry) }
    for instant in Set(entries.map(\.due)).filter({ $0 <= now }).sorted() {
      for entry in entries where entry.due == instant { deliver(entry.value) }
    }
  }
}
