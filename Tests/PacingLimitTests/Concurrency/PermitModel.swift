/// A concurrency limit as a list of waiters and whole tokens, moved on one nanosecond at a time.
struct PermitModel {
  struct Waiter {
    let name: Int
    let deadline: Int
  }

  /// A limit of the starts, by counting.
  enum Limit {
    /// It gains one token each `period`, counted in nanoseconds of that.
    case bucket(period: Int, burst: Int, level: Int)
    /// It lists the starts.
    case window(count: Int, length: Int, starts: [Int])

    /// Whether it allows one more at `later`, if nothing starts between `now` and then.
    func allows(at later: Int, from now: Int) -> Bool {
      switch self {
      case .bucket(let period, let burst, let level):
        min(level + later - now, burst * period) >= period
      case .window(let count, let length, let starts):
        starts.count { $0 + length > later } < count
      }
    }

    mutating func pass() {
      guard case .bucket(let period, let burst, let level) = self else { return }
      self = .bucket(period: period, burst: burst, level: min(level + 1, burst * period))
    }

    mutating func start(at now: Int) {
      switch self {
      case .bucket(let period, let burst, let level):
        self = .bucket(period: period, burst: burst, level: level - period)
      case .window(let count, let length, let starts):
        self = .window(count: count, length: length, starts: starts + [now])
      }
    }
  }

  let policy: (maximum: Int, isNewestFirst: Bool, dropsOldest: Bool)
  var count: Int
  var limits: [Limit]
  var now = 0
  var held = 0
  var waiters = [Waiter]()
  var told = [String]()

  func allowsStart(at later: Int) -> Bool {
    limits.allSatisfy { $0.allows(at: later, from: now) }
  }

  /// The next instant at which something is due, nil without any.
  var nextDue: Int? {
    let start =
      waiters.isEmpty || held >= count
      ? nil : (now...now + 1000).first { allowsStart(at: $0) }
    let deadline = waiters.map(\.deadline).min().flatMap { $0 == .max ? nil : $0 }
    return [start, deadline].compactMap { $0 }.min()
  }

  /// Does what is due until an instant, and at it.
  mutating func settle(at instant: Int) {
    settle()
    while now < instant {
      now += 1
      for index in limits.indices { limits[index].pass() }
      settle()
    }
  }

  mutating func settle() {
    while held < count, allowsStart(at: now), !waiters.isEmpty { start(waiters.removeFirst().name) }
    let late = waiters.filter { !canMeet($0.deadline) }
    for waiter in late { told.append("\(waiter.name) deadline") }
    waiters = waiters.filter { canMeet($0.deadline) }
  }

  /// Whether a caller that was not granted now can be granted by a deadline, whatever comes back.
  private func canMeet(_ deadline: Int) -> Bool {
    deadline == .max || deadline > now && allowsStart(at: deadline)
  }

  private mutating func start(_ name: Int) {
    told.append("\(name) granted at \(now)")
    take()
  }

  private mutating func take() {
    held += 1
    for index in limits.indices { limits[index].start(at: now) }
  }

  mutating func tryAcquire() -> Bool {
    guard waiters.isEmpty, held < count, allowsStart(at: now) else { return false }
    take()
    return true
  }

  mutating func enter(_ name: Int, within timeout: Int?) {
    if waiters.isEmpty, held < count, allowsStart(at: now) { return start(name) }
    let waiter = Waiter(name: name, deadline: timeout.map { now + $0 } ?? .max)
    guard canMeet(waiter.deadline) else { return told.append("\(name) deadline") }
    if waiters.count >= policy.maximum {
      guard policy.dropsOldest, !waiters.isEmpty else {
        return told.append("\(name) queue is full")
      }
      let oldest = policy.isNewestFirst ? waiters.removeLast() : waiters.removeFirst()
      told.append("\(oldest.name) queue is full")
    }
    waiters.insert(waiter, at: policy.isNewestFirst ? 0 : waiters.count)
  }
}
