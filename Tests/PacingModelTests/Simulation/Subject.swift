import Pacing
import PacingTesting
import Synchronization
import TestSupport

/// An actual or expected event: its lane, its value, and its time in milliseconds.
struct Entry: Hashable, Sendable, CustomStringConvertible {
  let lane: Int
  let value: Int
  let time: Int

  var description: String { "\(lane):\(value)@\(time)" }
}

/// The events that a tool's handlers and consumers report.
final class Journal: Sendable {
  private let entries = Mutex<[Entry]>([])
  let clock: ManualClock
  private let noted: Counter

  init(_ scene: Scene) {
    clock = scene.clock
    noted = scene.noted
  }

  func note(_ value: Int, lane: Int = 0) {
    let entry = Entry(lane: lane, value: value, time: clock.now.milliseconds)
    entries.withLock { $0.append(entry) }
    noted.add()
  }

  func contains(_ entry: Entry) -> Bool { entries.withLock { $0.contains(entry) } }

  func takeAll() -> [Entry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}

/// A tool and its oracle, as the simulation sees them.
///
/// The oracle is told each action, and states what should happen; the journal has what does happen.
/// A step compares the two, so that nothing is missing, duplicated, early, late or altered.
class Subject: CustomStringConvertible {
  let clock: ManualClock
  let journal: Journal
  private let scene: Scene
  private var expected = [Entry]()

  init(_ scene: Scene) {
    clock = scene.clock
    journal = Journal(scene)
    self.scene = scene
  }

  var now: Int { clock.now.milliseconds }

  /// Records an expected event.
  func expect(_ value: Int, lane: Int = 0, at time: Int) {
    expected.append(Entry(lane: lane, value: value, time: time))
    scene.expected += 1
  }

  /// The difference between the actual and the expected events, if any; the order counts within
  /// each lane.
  func difference() -> String? {
    let noted = journal.takeAll()
    defer { expected = [] }
    if noted == expected { return nil }
    let isRight = Set((noted + expected).map(\.lane)).allSatisfy { lane in
      noted.filter { $0.lane == lane } == expected.filter { $0.lane == lane }
    }
    return isRight ? nil : "\(noted) where \(expected) was expected"
  }

  /// Whether nothing can happen any more.
  var isOver = false

  /// The oracle's next deadline; nil for never.
  var dueTime: Int? { nil }

  /// Runs everything in the oracle that is due by a time, at its own time.
  func settle(at time: Int) {}

  /// Makes one random call on both, and returns whether the answers agree.
  func call(_ random: inout SplitMix64) -> Bool { true }

  /// Whether the tool's queries agree with the oracle.
  var isConsistent: Bool { true }

  /// The kind of tool, for failures.
  var description: String { "\(type(of: self))" }

  /// Releases the tool; the events that it can still cause are expected.
  func end() {}

  /// Resumes a run that outlives the tool; false if there is none.
  func goOnAtEnd() -> Bool { false }

  /// Advances the clock, and the timers with it.
  func pass(from start: Int, to end: Int) {
    if let due = dueTime, due <= start { settle(at: start) }
    while let due = dueTime, due <= end { settle(at: due) }
  }
}

/// The state that the subjects of one run share.
final class Scene {
  /// The tasks of async handlers run on the thread that moves it.
  let clock = ManualClock(isLazy: false, runsHandlers: true)
  /// The numbers of actual and expected events.
  let noted = Counter()
  var expected = 0
}
