import Pacing

/// A task that sleeps, the timer that ends its sleep, and threads that cancel it: `OneShot` and
/// `TimerService.sleep`, step by step.
struct OneShotModel: Explorable {
  enum Fault {
    case none
    /// The task looks for the outcome, and waits in another hold of the lock.
    case looksBeforeItWaits
    /// A call that resolves forgets the waiter that is there already.
    case forgetsTheWaiter
    /// A late outcome counts as well.
    case resolvesTwice
  }

  /// The outcome that the timer sets; the others are those of the threads that cancel.
  private static let elapsed = 0

  struct Fingerprint: Hashable {
    var place: [Int]
    var values: [Int?]
  }

  let fault: Fault
  private var state = OneShotState<Int, Int>.empty
  /// The next step of the task, of the timer, and of each thread that cancels.
  private var place: [Int]
  /// The entry in the timer service.
  private var hasEntry = true
  private var parked = 0
  /// The outcome that the task was resumed with.
  private var resumed: Int?
  private var timesResumed = 0
  private var end: Int?
  private var winners = 0

  init(cancellers: Int, fault: Fault = .none) {
    self.fault = fault
    place = Array(repeating: 0, count: 2 + cancellers)
  }

  var fingerprint: Fingerprint {
    let (kind, kept): (Int, Int?) =
      switch state {
      case .empty: (0, nil)
      case .waiting(let waiter): (1, waiter)
      case .resolved(let outcome): (2, outcome)
      }
    return Fingerprint(
      place: place,
      values: [kind, kept, hasEntry ? 1 : 0, parked, resumed, timesResumed, end, winners])
  }

  var ready: [Int] {
    place.indices.filter { thread in
      switch (thread, place[thread]) {
      case (_, 9): false
      case (0, 3): resumed != nil
      // The timer fires at any time, unless the entry was removed.
      case (1, 0): hasEntry
      default: true
      }
    }
  }

  mutating func step(_ thread: Int) -> StaticString {
    switch (thread, place[thread]) {
    case (0, 0):
      if fault == .looksBeforeItWaits {
        if case .resolved(let outcome) = state { end = outcome }
        place[0] = end == nil ? 1 : 4
        return "look"
      }
      end = state.wait(0)
      place[0] = end == nil ? 2 : 4
      return "wait"
    case (0, 1):
      state = .waiting(0)
      place[0] = 2
      return "keep the continuation"
    case (0, 2):
      parked += 1
      place[0] = 3
      return "park"
    case (0, 3):
      end = resumed
      place[0] = 4
      return "resume"
    case (0, _):
      // A sleep that was cancelled removes its entry once more: that does nothing.
      if end != Self.elapsed { hasEntry = false }
      place[0] = 9
      return "return"
    case (1, 0):
      hasEntry = false
      place[1] = 1
      return "pop the entry"
    case (_, 0), (1, 1):
      resolve(thread - 1, by: thread)
      return "resolve"
    case (_, 2):
      parked -= 1
      place[thread] = 3
      return "unpark"
    case (_, 3):
      resumed = thread - 1
      timesResumed += 1
      place[thread] = thread == 1 ? 9 : 4
      return "resume the task"
    default:
      hasEntry = false
      place[thread] = 9
      return "cancel the entry"
    }
  }

  private mutating func resolve(_ outcome: Int, by thread: Int) {
    if fault == .resolvesTwice, case .resolved = state { state = .empty }
    switch state.resolve(outcome) {
    case .first(let waiter):
      winners += 1
      let isResuming = waiter != nil && fault != .forgetsTheWaiter
      place[thread] = isResuming ? 2 : thread == 1 ? 9 : 4
    case .late: place[thread] = 9
    }
  }

  var violation: String? {
    if timesResumed > 1 { return "the task was resumed twice" }
    if winners > 1 { return "two outcomes count" }
    return nil
  }

  var violationAtEnd: String? {
    guard place[0] == 9 else { return "the task is not resumed" }
    guard winners == 1, case .resolved(end) = state else { return "another outcome was returned" }
    guard parked == 0 else { return "\(parked) tasks are still counted" }
    return hasEntry ? "the entry is left" : nil
  }
}
