import Pacing

/// Producers of work, threads that are called, take pieces, block and end, and the look:
/// `SharedWorkers`, step by step.
///
/// Time is not modelled: a look comes whenever it likes, a piece takes as long as it likes.
struct WorkersModel: Explorable {
  enum Fault: CaseIterable {
    /// The thread that owes a look does not set it.
    case forgetsTheLook
    /// A thread that is called never arrives.
    case losesACall
    /// A thread ends after a piece without a look at the line.
    case endsWithoutALook
    /// A crowd is in the line, and its end is not told.
    case neverReleases
  }

  /// A piece of work: how long it is to the policy, and the piece that must have ended before it.
  struct Piece: Hashable {
    var length: Nanoseconds
    var blockedUntil: Int?
  }

  enum Place: Hashable {
    case idle
    /// Was called, and is on its way.
    case called
    case runs(Int)
    /// What it owes once the lock is free, and the piece that it runs then.
    case owes(calls: Int, look: Bool, then: Int?)
  }

  struct Fingerprint: Hashable {
    var policy: WorkerPolicy
    var line: [Int]
    var places: [Place]
    var ended: Set<Int>
    var numbers: [Int]
  }

  let fault: Fault?
  private let pieces: [Piece]
  /// The numbers of the pieces that each producer adds.
  private var plans: [[Int]]
  private var policy: WorkerPolicy
  private var line = [Int]()
  /// Producers, then threads, then the timer that looks.
  private var places: [Place]
  private var ended = Set<Int>()
  private var hasLook = false
  /// The first producer is adding its crowd.
  private var isHolding = false
  /// Looks since anything else has happened: without a bound they would go on for ever.
  private var looks = 0
  /// How many more threads the system refuses to make.
  private var refusals: Int

  /// Makes producers, each with the pieces that it adds; they are numbered in this order.
  ///
  /// The first producer adds its pieces as a crowd, as the timer's thread does. The system may
  /// refuse `refusals` threads, each at any time.
  init(width: Int, limit: Int, plans: [[Piece]], refusals: Int = 0, fault: Fault? = nil) {
    self.fault = fault
    self.refusals = refusals
    pieces = Array(plans.joined())
    var count = 0
    self.plans = plans.map { plan in
      defer { count += plan.count }
      return Array(count..<count + plan.count)
    }
    policy = WorkerPolicy(width: width, limit: limit)
    // A thread that was refused has still to say what that calls for.
    let threads = max(width, limit) + refusals
    places = Array(repeating: .idle, count: plans.count + threads + 1)
  }

  private var timer: Int { places.count - 1 }
  /// The choice that a thread which was called cannot be made.
  private var refusal: Int { places.count }
  private var threads: Range<Int> { plans.count..<timer }

  var fingerprint: Fingerprint {
    Fingerprint(
      policy: policy, line: line, places: places, ended: ended,
      numbers: plans.map(\.count) + [hasLook ? 1 : 0, looks, refusals, isHolding ? 1 : 0])
  }

  var ready: [Int] {
    var ready = places.indices.dropLast().filter { thread in
      switch places[thread] {
      case .idle: thread < plans.count && !plans[thread].isEmpty || thread == 0 && isHolding
      case .called: fault != .losesACall
      case .runs(let piece): pieces[piece].blockedUntil.map { ended.contains($0) } ?? true
      case .owes: true
      }
    }
    // Two in a row while something else may happen, and else as many as the policy has patience.
    if places[timer] != .idle || hasLook && looks < (ready.isEmpty ? 20 : 2) {
      ready.append(timer)
    }
    if refusals > 0, places.contains(.called) { ready.append(refusal) }
    return ready
  }

  mutating func step(_ thread: Int) -> StaticString {
    if thread != timer { looks = 0 }
    if thread == refusal { return refuse() }
    switch places[thread] {
    case .owes(let calls, let look, let piece):
      // Both outside the lock: the threads are called, and the look is armed.
      places[thread] = piece.map { .runs($0) } ?? .idle
      for _ in 0..<calls { places[threads.first { places[$0] == .idle }!] = .called }
      if look, fault != .forgetsTheLook { hasLook = true }
      return "pay"
    case .idle where thread == timer:
      hasLook = false
      looks += 1
      owe(thread, policy.looked())
      return "look"
    case .idle where thread == 0 && !isHolding:
      isHolding = true
      policy.held()
      return "hold"
    case .idle where thread == 0 && plans[0].isEmpty:
      isHolding = false
      if fault != .neverReleases { owe(thread, policy.released()) }
      return "release"
    case .idle:
      line.append(plans[thread].removeFirst())
      owe(thread, policy.added())
      return "add"
    case .called:
      take(thread, policy.arrived())
      return "arrive"
    case .runs(let piece):
      ended.insert(piece)
      guard fault != .endsWithoutALook else {
        // As if the line were empty to it.
        places[thread] = .idle
        return "end"
      }
      take(thread, policy.ended(after: pieces[piece].length))
      return "end a piece"
    }
  }

  private mutating func refuse() -> StaticString {
    refusals -= 1
    let thread = places.firstIndex(of: .called)!
    places[thread] = .idle
    owe(thread, policy.failed())
    return "refuse a thread"
  }

  private mutating func take(_ thread: Int, _ answer: (takes: Bool, step: WorkerPolicy.Step)) {
    owe(thread, answer.step, then: answer.takes ? line.removeFirst() : nil)
  }

  private mutating func owe(_ thread: Int, _ step: WorkerPolicy.Step, then piece: Int? = nil) {
    if step == .init() {
      places[thread] = piece.map { .runs($0) } ?? .idle
    } else {
      places[thread] = .owes(calls: step.calls, look: step.mustLook, then: piece)
    }
  }

  var violation: String? {
    var (called, running, looking) = (0, 0, hasLook ? 1 : 0)
    for place in places {
      switch place {
      case .idle: break
      case .called: called += 1
      case .runs: running += 1
      case .owes(let calls, let look, let piece):
        called += calls
        running += piece == nil ? 0 : 1
        looking += look ? 1 : 0
      }
    }
    guard fault == nil || fault == .losesACall else { return nil }
    if running + called > policy.limit { return "\(running + called) threads" }
    let isRight =
      policy.waiting == line.count && policy.called == called && policy.busy == running
      && (policy.isLooking ? 1 : 0) == looking
    if !isRight { return "the policy is wrong about what there is: \(policy)" }
    let isServed = called > 0 || looking > 0 || running == policy.limit || isHolding
    return line.isEmpty || isServed ? nil : "\(line) wait, and no thread is called"
  }

  var violationAtEnd: String? {
    ended.count == pieces.count ? nil : "\(line) are never begun"
  }
}
