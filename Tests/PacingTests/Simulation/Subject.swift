import Pacing
import PacingTesting
import Synchronization
import TestSupport

/// What has happened, or should have: in whose turn, what, and in which millisecond.
struct Entry: Hashable, Sendable, CustomStringConvertible {
  let lane: Int
  let value: Int
  let time: Int

  var description: String { "\(lane):\(value)@\(time)" }
}

/// What a tool does, as its handlers and consumers say.
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

/// A tool beside its oracle, as the simulation sees them.
///
/// The oracle is told what is done, and says what should happen; what does happen is in the
/// journal. A step compares the two, so that nothing is missing, doubled, early, late or altered.
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

  /// Tells that something should have happened.
  func expect(_ value: Int, lane: Int = 0, at time: Int) {
    expected.append(Entry(lane: lane, value: value, time: time))
    scene.expected += 1
  }

  /// Compares what has happened with what should have, and says what is not so; the order counts
  /// in each lane.
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

  /// When the oracle has something to do next, nil for never.
  var dueTime: Int? { nil }

  /// Lets everything happen in the oracle that is due by a time, at that time.
  func settle(at time: Int) {}

  /// Makes one random call on both, and says whether the answers agree.
  func call(_ random: inout SplitMix64) -> Bool { true }

  /// Whether what the tool says about itself agrees with the oracle.
  var isConsistent: Bool { true }

  /// What the tool is, for a failure.
  var description: String { "\(type(of: self))" }

  /// Lets go of the tool; what can still happen of it is expected.
  func end() {}

  /// Lets one of those go on that run when the tool has gone; false where nothing runs.
  func goOnAtEnd() -> Bool { false }

  /// The clock goes on, and the timers with it.
  func pass(from start: Int, to end: Int) {
    if let due = dueTime, due <= start { settle(at: start) }
    while let due = dueTime, due <= end { settle(at: due) }
  }
}

/// What the subjects of one run share.
final class Scene {
  let clock = ManualClock()
  /// How much has happened, and should have.
  let noted = Counter()
  var expected = 0
}
