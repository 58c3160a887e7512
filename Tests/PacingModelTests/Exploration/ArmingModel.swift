import Pacing

/// Threads that add and remove deadlines, time that passes, and the drain: `TimerService` and its
/// waker, step by step.
struct ArmingModel: Explorable {
  enum Fault: CaseIterable {
    /// A thread that has set the waker does not look again.
    case looksOnce
    /// The drain does not look when it has finished.
    case drainDoesNotArm
    /// The thread decides whether it must arm before its entry is in the queue.
    case decidesBeforeItAdds
    /// Two threads may set the waker at the same time.
    case setsAtTheSameTime
  }

  /// What a thread does next.
  enum Place: Hashable {
    case idle
    case add(owes: Bool)
    case look
    case set(Int)
    case afterSet
    case beginDrain
    case readTime
    case take(now: Int)
    case endDrain

    /// Whether the thread looks at the waker before it is idle.
    var willLook: Bool {
      switch self {
      case .idle, .add: false
      default: true
      }
    }
  }

  struct Fingerprint: Hashable {
    var places: [Place]
    var plans: [[Int]]
    var queue: [Int]
    var arming: ArmingState
    var numbers: [Int?]
  }

  let fault: Fault?
  /// How long before the deadline the waker is set.
  private let lead: Int
  private let lastInstant: Int
  private var arming = ArmingState()
  /// The pending deadlines, the earliest first.
  private var queue = [Int]()
  /// The adding threads, and at last the one that drains.
  private var places: [Place]
  /// The deadlines that each thread still adds; a negative one is removed.
  private var plans: [[Int]]
  /// The deadline of the source; nil after it has fired.
  private var source: Int?
  /// The source has fired, and its handler has not begun.
  private var hasFired = false
  private var now = 0
  /// A woken target that starts again, once.
  private var again: Int?
  private var earlyWake: Int?

  /// Makes threads with the deadlines, from 1 on, that each adds; a negative one is removed.
  ///
  /// The first woken target adds `again` from inside the drain.
  init(plans: [[Int]], again: Int? = nil, lead: Int = 0, fault: Fault? = nil) {
    self.lead = lead
    self.plans = plans
    self.again = again
    self.fault = fault
    places = Array(repeating: .idle, count: plans.count + 1)
    lastInstant = max(plans.joined().max() ?? 0, again ?? 0)
  }

  private var drain: Int { plans.count }
  private var time: Int { plans.count + 1 }
  private var dispatch: Int { plans.count + 2 }
  private var earliest: PacingInstant { instant(queue.first) }

  private func instant(_ number: Int?) -> PacingInstant {
    number.map { PacingInstant(nanoseconds: Nanoseconds($0)) } ?? .distantFuture
  }

  var fingerprint: Fingerprint {
    Fingerprint(
      places: places, plans: plans, queue: queue, arming: arming,
      numbers: [source, hasFired ? 1 : 0, now, again, earlyWake])
  }

  var ready: [Int] {
    var ready = plans.indices.filter { places[$0] != .idle || !plans[$0].isEmpty }
    if places[drain] != .idle || hasFired { ready.append(drain) }
    if now < lastInstant { ready.append(time) }
    if let source, source <= now { ready.append(dispatch) }
    return ready
  }

  mutating func step(_ thread: Int) -> StaticString {
    if thread == time {
      now += 1
      return "time passes"
    }
    if thread == dispatch {
      source = nil
      hasFired = true
      return "the source fires"
    }
    switch places[thread] {
    case .idle where thread == drain:
      hasFired = false
      places[drain] = .beginDrain
      return "the handler begins"
    case .idle, .add: return add(thread)
    case .look: return look(thread)
    case .set(let deadline):
      // Early by a lead that is learnt, if there is time for it: a wake may find nothing due.
      source = now < deadline - lead ? deadline - lead : deadline
      places[thread] = .afterSet
      return "set the waker"
    case .afterSet:
      arming.ended()
      places[thread] = fault == .looksOnce ? .idle : .look
      return "the waker is set"
    case .beginDrain:
      arming.beganDraining()
      places[thread] = .readTime
      return "begin the drain"
    case .readTime:
      places[thread] = .take(now: now)
      return "read the time"
    case .take(let now): return take(at: now)
    case .endDrain:
      arming.endedDraining()
      places[thread] = fault == .drainDoesNotArm ? .idle : .look
      return "end the drain"
    }
  }

  private mutating func add(_ thread: Int) -> StaticString {
    let deadline = plans[thread][0]
    if deadline < 0 {
      plans[thread].removeFirst()
      // An entry that has fired, or was not yet added, is ignored.
      if let index = queue.firstIndex(of: -deadline) { queue.remove(at: index) }
      return "cancel"
    }
    let owes = arming.mustArm(for: instant(deadline))
    if fault == .decidesBeforeItAdds, places[thread] == .idle {
      places[thread] = .add(owes: owes)
      return "decide"
    }
    plans[thread].removeFirst()
    insert(deadline)
    places[thread] = owes && places[thread] != .add(owes: false) ? .look : .idle
    return "schedule"
  }

  private mutating func insert(_ deadline: Int) {
    queue.insert(deadline, at: queue.firstIndex { deadline < $0 } ?? queue.count)
  }

  private mutating func look(_ thread: Int) -> StaticString {
    if fault == .setsAtTheSameTime { arming.ended() }
    let begins = arming.begin(earliest: earliest)
    places[thread] = begins ? .set(queue[0]) : .idle
    return begins ? "begin to arm" : "nothing to arm"
  }

  /// Takes and wakes one entry that is due, in the place of a batch.
  private mutating func take(at now: Int) -> StaticString {
    guard let deadline = queue.first, deadline <= now else {
      places[drain] = .endDrain
      return "nothing is due"
    }
    queue.removeFirst()
    if deadline > self.now { earlyWake = deadline }
    if let next = again.take() {
      // The target's own lock is held, and it owes an `arm()` after it.
      if arming.mustArm(for: instant(next)) { earlyWake = -1 }
      insert(next)
    }
    return "wake"
  }

  var violation: String? {
    if let earlyWake { return "woken before \(earlyWake)" }
    guard let first = queue.first else { return nil }
    let isOwed =
      hasFired || places.contains { $0.willLook } || source.map { $0 <= first } == true
    return isOwed ? nil : "\(first) is pending, and the waker is set to \(source ?? -1)"
  }

  var violationAtEnd: String? { queue.isEmpty ? nil : "\(queue) never fire" }
}
