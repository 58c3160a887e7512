import Pacing

/// Threads that add and remove deadlines, time that passes, and the drains: `TimerService` and its
/// wakers, step by step.
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
    /// A waker that was set late drains, although another leads.
    case drainsWithoutTheLead
    /// A thread leaves, although the other waker's has not returned.
    case leavesWithoutFollower
    /// A thread leaves, and does not look first.
    case leavesAtOnce
  }

  /// What a thread does next.
  enum Place: Hashable {
    case idle
    case add(owes: Bool)
    case look
    case set(waker: Int, Int)
    case afterSet
    case beginDrain
    case readTime
    case take(now: Int)
    case endDrain
    case run

    /// Whether the thread looks at the waker before it is idle, whoever leads.
    var willLook: Bool {
      switch self {
      case .idle, .add, .beginDrain, .run: false
      default: true
      }
    }
  }

  struct Waker: Hashable {
    /// The deadline of the source; nil after it has fired.
    var deadline: Int?
    /// The source has fired, and its handler has not begun.
    var hasFired = false
    /// The drain has woken a target, which has a handler.
    var hasWoken = false
    /// The thread that drains has left, or is about to.
    var leaves = false
  }

  struct Fingerprint: Hashable {
    var places: [Place]
    var plans: [[Int]]
    var queue: [Int]
    var arming: ArmingState
    var wakers: [Waker]
    var numbers: [Int?]
  }

  let fault: Fault?
  /// How long before the deadline the waker is set.
  private let lead: Int
  private let lastInstant: Int
  private var arming: ArmingState
  /// The pending deadlines, the earliest first.
  private var queue = [Int]()
  /// The adding threads, and at last one for each waker.
  private var places: [Place]
  /// The deadlines that each thread still adds; a negative one is removed.
  private var plans: [[Int]]
  private var wakers: [Waker]
  private var now = 0
  /// A woken target that starts again, once.
  private var again: Int?
  private var earlyWake: Int?

  /// Makes threads with the deadlines, from 1 on, that each adds; a negative one is removed.
  ///
  /// The first woken target adds `again` from inside the drain. With two wakers, a thread leaves to
  /// run handlers wherever it may.
  init(
    plans: [[Int]], again: Int? = nil, lead: Int = 0, wakers count: Int = 1, fault: Fault? = nil
  ) {
    self.lead = lead
    self.plans = plans
    self.again = again
    self.fault = fault
    arming = ArmingState(hasFollower: count > 1)
    wakers = Array(repeating: Waker(), count: count)
    places = Array(repeating: .idle, count: plans.count + count)
    lastInstant = max(plans.joined().max() ?? 0, again ?? 0)
  }

  private var time: Int { places.count }
  private var dispatch: Int { places.count + 1 }
  private var earliest: PacingInstant { instant(queue.first) }

  private func instant(_ number: Int?) -> PacingInstant {
    number.map { PacingInstant(nanoseconds: Nanoseconds($0)) } ?? .distantFuture
  }

  var fingerprint: Fingerprint {
    Fingerprint(
      places: places, plans: plans, queue: queue, arming: arming, wakers: wakers,
      numbers: [now, again, earlyWake])
  }

  var ready: [Int] {
    var ready = plans.indices.filter { places[$0] != .idle || !plans[$0].isEmpty }
    if now < lastInstant { ready.append(time) }
    for (index, waker) in wakers.enumerated() {
      let drain = plans.count + index
      if places[drain] != .idle || waker.hasFired { ready.append(drain) }
      if let deadline = waker.deadline, deadline <= now { ready.append(dispatch + index) }
    }
    return ready
  }

  mutating func step(_ thread: Int) -> StaticString {
    if thread == time {
      now += 1
      return "time passes"
    }
    if thread >= dispatch {
      wakers[thread - dispatch].deadline = nil
      wakers[thread - dispatch].hasFired = true
      return "a source fires"
    }
    switch places[thread] {
    case .idle where thread < plans.count: return add(thread)
    case .add: return add(thread)
    case .look: return look(thread)
    case .set(let waker, let deadline):
      // Early by a lead that is learnt, if there is time for it: a wake may find nothing due.
      wakers[waker].deadline = now < deadline - lead ? deadline - lead : deadline
      places[thread] = .afterSet
      return "set the waker"
    case .afterSet:
      arming.ended()
      places[thread] = fault == .looksOnce ? next(of: thread) : .look
      return "the waker is set"
    case .idle, .beginDrain, .readTime, .take, .endDrain, .run:
      return drain(by: thread - plans.count, on: thread)
    }
  }

  /// Takes a step of a waker's thread.
  private mutating func drain(by waker: Int, on thread: Int) -> StaticString {
    switch places[thread] {
    case .beginDrain:
      let drains = arming.beganDraining(by: fault == .drainsWithoutTheLead ? arming.leader : waker)
      places[thread] = drains ? .readTime : .idle
      return "begin the drain"
    case .readTime:
      places[thread] = .take(now: now)
      return "read the time"
    case .take(let now): return take(at: now, waker, thread)
    case .endDrain:
      if fault == .leavesWithoutFollower { arming.returned() }
      let leaves = arming.endedDraining(wantsToLeave: wakers[waker].hasWoken)
      wakers[waker].hasWoken = false
      wakers[waker].leaves = leaves
      let looks = fault != .drainDoesNotArm && !(leaves && fault == .leavesAtOnce)
      places[thread] = looks ? .look : next(of: thread)
      return "end the drain"
    case .run:
      wakers[waker].leaves = false
      arming.returned()
      places[thread] = .idle
      return "return"
    default:
      wakers[waker].hasFired = false
      places[thread] = .beginDrain
      return "the source's handler begins"
    }
  }

  /// Where a thread goes that has nothing to arm.
  private func next(of thread: Int) -> Place {
    thread >= plans.count && wakers[thread - plans.count].leaves ? .run : .idle
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
    places[thread] = begins ? .set(waker: arming.leader, queue[0]) : next(of: thread)
    return begins ? "begin to arm" : "nothing to arm"
  }

  /// Takes and wakes one entry that is due, in the place of a batch.
  private mutating func take(at now: Int, _ waker: Int, _ thread: Int) -> StaticString {
    guard let deadline = queue.first, deadline <= now else {
      places[thread] = .endDrain
      return "nothing is due"
    }
    queue.removeFirst()
    wakers[waker].hasWoken = true
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
    let (leader, place) = (wakers[arming.leader], places[plans.count + arming.leader])
    if leader.leaves { return "the leader's thread runs a handler" }
    guard let first = queue.first else { return nil }
    let isOwed =
      leader.hasFired || place == .beginDrain || places.contains { $0.willLook }
      || leader.deadline.map { $0 <= first } == true
    return isOwed ? nil : "\(first) is pending, and the waker is set to \(leader.deadline ?? -1)"
  }

  var violationAtEnd: String? { queue.isEmpty ? nil : "\(queue) never fire" }
}
