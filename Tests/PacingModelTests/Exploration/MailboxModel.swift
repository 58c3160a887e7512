import Pacing

/// Consumers, producers under their tool's lock, and the consumer's leave: `Mailbox`, step by step.
struct MailboxModel: Explorable {
  enum Fault: CaseIterable {
    /// A consumer that found nothing suspends without a second look.
    case looksOnce
    /// The end does not resume those that wait.
    case endResumesNobody
  }

  enum Place: Hashable {
    case look
    case lookAgain
    case join
    case suspended
    case resumed(Int?)
    case gone
  }

  enum Fate: Hashable {
    case toCome, waits, onItsWay, taken, replaced, withdrawn, refused
  }

  struct Fingerprint: Hashable {
    var elements: [Int]
    var waiting: [Int]
    var places: [Place]
    var fates: [Fate]
    var numbers: [Int]
    var debts: [[Int]]
  }

  let fault: Fault?
  private var state: MailboxState<Int, Int>
  private var consumers: [Place]
  /// How many elements each consumer still takes.
  private var wishes: [Int]
  /// What has become of each element.
  private var fates: [Fate]
  private var next = 0
  /// What the producer owes once its lock is free: a consumer and an element, or the end.
  private var debts = [[Int]]()
  /// The steps that the consumer's leave has still to take.
  private var leaving: Int
  private var hasEnded = false
  /// The last element handed out: their order is that of the decisions.
  private var last = -1
  private var disorder = false
  /// Consumers that wait although they have not looked again: a fault.
  private var unseeing = [Int]()

  init(consumers: Int, wishes: Int, elements: Int, merges: Bool, leaves: Bool, fault: Fault? = nil)
  {
    self.fault = fault
    state = MailboxState(merges ? .newest : .all)
    self.consumers = Array(repeating: .look, count: consumers)
    self.wishes = Array(repeating: wishes, count: consumers)
    fates = Array(repeating: .toCome, count: elements)
    leaving = leaves ? 2 : 0
  }

  private var producer: Int { consumers.count }
  private var leaver: Int { consumers.count + 1 }

  var fingerprint: Fingerprint {
    // What the state keeps, as a copy of it gives it away.
    var copy = state
    let elements = copy.withdraw()
    let numbers: [Int] = [next, leaving, hasEnded ? 1 : 0, last, disorder ? 1 : 0]
    return Fingerprint(
      elements: elements, waiting: copy.end(), places: consumers, fates: fates,
      numbers: wishes + numbers, debts: debts + [unseeing])
  }

  var ready: [Int] {
    var ready = consumers.indices.filter { consumers[$0] != .suspended && consumers[$0] != .gone }
    if next <= fates.count || !debts.isEmpty { ready.append(producer) }
    if leaving > 0 { ready.append(leaver) }
    return ready
  }

  mutating func step(_ thread: Int) -> StaticString {
    if thread == leaver { return leave() }
    if thread == producer { return produce() }
    switch consumers[thread] {
    case .look:
      act(on: state.take(), thread, otherwise: fault == .looksOnce ? .join : .lookAgain)
      return "look"
    case .lookAgain:
      act(on: state.take(orWait: thread), thread, otherwise: .suspended)
      return "look again or wait"
    case .join:
      unseeing.append(thread)
      consumers[thread] = .suspended
      return "wait"
    case .resumed(let element):
      finish(element, thread)
      return "resume"
    case .suspended, .gone: return "nothing"
    }
  }

  private mutating func act(
    on readiness: MailboxState<Int, Int>.Readiness, _ thread: Int, otherwise: Place
  ) {
    switch readiness {
    case .element(let element):
      handOut(element)
      finish(element, thread)
    case .ended: finish(nil, thread)
    case .none: consumers[thread] = otherwise
    }
  }

  private mutating func handOut(_ element: Int) {
    if element <= last { disorder = true }
    last = element
  }

  private mutating func finish(_ element: Int?, _ thread: Int) {
    if let element { fates[element] = .taken }
    wishes[thread] -= 1
    consumers[thread] = element == nil || wishes[thread] == 0 ? .gone : .look
  }

  private mutating func produce() -> StaticString {
    if let debt = debts.first {
      debts.removeFirst()
      for consumer in debt.dropFirst() {
        consumers[consumer] = .resumed(debt[0] < 0 ? nil : debt[0])
      }
      return "resume what waited"
    }
    defer { next += 1 }
    guard next < fates.count else {
      end()
      return "end"
    }
    if !unseeing.isEmpty {
      let consumer = unseeing.removeFirst()
      handOut(next)
      fates[next] = .onItsWay
      debts.append([next, consumer])
      return "offer"
    }
    switch state.offer(next) {
    case .handed(let element, let consumer):
      handOut(element)
      fates[element] = .onItsWay
      debts.append([element, consumer])
    case .kept(let replaced):
      fates[next] = .waits
      if let replaced { fates[replaced] = .replaced }
    case .refused: fates[next] = .refused
    }
    return "offer"
  }

  private mutating func end() {
    hasEnded = true
    let consumers = state.end() + unseeing
    unseeing = []
    if !consumers.isEmpty, fault != .endResumesNobody { debts.append([-1] + consumers) }
  }

  private mutating func leave() -> StaticString {
    leaving -= 1
    guard leaving == 0 else {
      for element in state.withdraw() { fates[element] = .withdrawn }
      return "withdraw"
    }
    end()
    return "end"
  }

  var violation: String? {
    var copy = state
    let (elements, waiting) = (copy.withdraw(), copy.end())
    if disorder { return "an element overtakes another" }
    if !elements.isEmpty, !waiting.isEmpty { return "a consumer waits, and so do \(elements)" }
    let kept = fates.indices.filter { fates[$0] == .waits }
    return kept == elements ? nil : "\(elements) are kept, and not \(kept)"
  }

  var violationAtEnd: String? {
    let suspended = consumers.indices.filter { consumers[$0] == .suspended }
    guard suspended.isEmpty else { return "consumers \(suspended) wait after the end" }
    return fates.contains(.onItsWay) ? "an element is lost on its way" : nil
  }
}
