import Pacing

/// The oracle of a bucket whose waiters count from the instants at which their tokens arrived: it
/// keeps a floor for each waiter, and finds each instant by trial.
///
/// One token arrives every `period` instants, which are integers.
struct CatchUpModel {
  struct Waiter {
    let name: Int
    let cost: Int
    let joined: Int
    let deadline: Int
    /// The earliest instant from which the grant counts.
    var floor: Int
  }

  struct Grant: Equatable {
    let name: Int
    let cost: Int
    let told: Int
    let counts: Int
  }

  private enum Change: Equatable {
    case spend(Int)
    case reserved(name: Int, cost: Int)
    case add(Int)
    case fill
  }

  let period: Int
  let burst: Int
  let initial: Int
  let catchUp: Int
  private(set) var now = 0
  private var changes = [(at: Int, change: Change)]()
  private(set) var queue = [Waiter]()
  private var pausedUntil = 0
  private var latestGrant = 0
  private(set) var grants = [Grant]()
  private(set) var refused = [Int]()

  init(period: Int, burst: Int, initial: Int, catchUp: Int) {
    self.period = period
    self.burst = burst
    self.initial = initial
    self.catchUp = catchUp
  }

  // MARK: Time

  /// Lets time pass without a timer.
  mutating func lapse(to instant: Int) { now = instant }

  /// The start of every call and every wake: serves, then refuses hopeless waiters.
  ///
  /// No grant counts from before a review at which it was not due.
  mutating func review() {
    serve()
    while let index = queue.indices.first(where: isHopeless) {
      refused.append(queue[index].name)
      leave(at: index, ownTokensCame: false)
      serve()
    }
    for index in queue.indices { queue[index].floor = now }
  }

  private mutating func serve() {
    while let head = queue.first, let instant = turn(of: head) {
      if instant > head.deadline {
        refused.append(head.name)
      } else {
        spend(head.cost, at: instant)
        latestGrant = instant
        grants.append(Grant(name: head.name, cost: head.cost, told: now, counts: instant))
      }
      queue.removeFirst()
    }
  }

  private func turn(of waiter: Waiter) -> Int? {
    let start = max(waiter.floor, latestGrant, now - catchUp, pausedUntil)
    return start <= now ? (start...now).first { fits(waiter.cost, at: $0) } : nil
  }

  /// Whether a waiter would be served too late even if all timers were punctual from now on.
  private func isHopeless(_ index: Int) -> Bool {
    guard queue[index].deadline < .max else { return false }
    var copy = self
    let name = queue[index].name
    for waiter in copy.queue.indices where waiter < index { copy.queue[waiter].unlimit() }
    copy.queue[index].unlimit()
    while !copy.grants.contains(where: { $0.name == name }) {
      copy.now += 1
      copy.serve()
    }
    return copy.grants.first { $0.name == name }!.counts > queue[index].deadline
  }

  // MARK: Waiters

  /// Lets a caller join, or refuses it; if served immediately, it counts from now.
  mutating func join(_ name: Int, cost: Int, within timeout: Int?) {
    review()
    let deadline = timeout.map { now + $0 } ?? .max
    queue.append(Waiter(name: name, cost: cost, joined: now, deadline: deadline, floor: now))
    review()
  }

  mutating func withdraw(_ name: Int) {
    if let index = queue.firstIndex(where: { $0.name == name }) {
      var copy = self
      copy.serve()
      let came = !copy.queue.contains { $0.name == name }
      // Due waiters ahead are served all the same.
      let ahead = Set(queue[..<index].map(\.name))
      while let head = queue.first, ahead.contains(head.name), turn(of: head) != nil {
        var single = self
        single.queue = [head]
        single.serve()
        single.queue = Array(queue.dropFirst())
        self = single
      }
      if let index = queue.firstIndex(where: { $0.name == name }) {
        leave(at: index, ownTokensCame: came)
      }
    }
    review()
  }

  private mutating func leave(at index: Int, ownTokensCame: Bool) {
    queue.remove(at: index)
    guard !ownTokensCame else { return }
    for behind in queue.indices where behind >= index { queue[behind].floor = now }
  }

  // MARK: Reservations

  /// Reserves the earliest instant at which the cost fits behind the waiters, found by trial.
  mutating func reserve(_ name: Int, cost: Int) -> Int {
    review()
    var copy = self
    copy.queue.append(
      Waiter(name: -1, cost: cost, joined: now, deadline: .max, floor: now))
    for index in copy.queue.indices { copy.queue[index].unlimit() }
    copy.serve()
    while copy.grants.last?.name != -1 {
      copy.now += 1
      copy.serve()
    }
    let instant = copy.grants.last!.counts
    note(.reserved(name: name, cost: cost), at: instant)
    review()
    return instant
  }

  /// Gives a reservation back, up to and including its instant.
  mutating func cancel(_ name: Int) -> Bool {
    review()
    let index = changes.firstIndex { at, change in
      if case .reserved(name, _) = change { at >= now } else { false }
    }
    guard let index else { return false }
    changes.remove(at: index)
    review()
    return true
  }

  // MARK: Changes

  mutating func tryAcquire(_ cost: Int) -> Bool {
    review()
    let isThere =
      queue.isEmpty && pausedUntil <= now && fits(cost, at: now)
    guard cost == 0 || isThere else { return false }
    if cost > 0 { spend(cost, at: now) }
    return true
  }

  mutating func penalize(_ tokens: Int) { change(.spend(tokens)) }
  mutating func add(_ tokens: Int) { change(.add(tokens)) }

  mutating func reset() {
    change(.fill) { $0.pausedUntil = 0 }
  }

  mutating func pause(until instant: Int) {
    review()
    if instant > now { pausedUntil = max(pausedUntil, instant) }
    review()
  }

  mutating func resume() {
    review()
    if pausedUntil > now { pausedUntil = 0 }
    review()
  }

  private mutating func change(_ change: Change, _ also: (inout Self) -> Void = { _ in }) {
    review()
    note(change, at: now)
    also(&self)
    review()
  }

  // MARK: The level

  private mutating func spend(_ cost: Int, at instant: Int) {
    note(.spend(cost), at: instant)
  }

  /// Puts a change behind all others of its instant.
  private mutating func note(_ change: Change, at instant: Int) {
    changes.insert((instant, change), at: changes.firstIndex { $0.at > instant } ?? changes.count)
  }

  /// Whether a cost is available at an instant, and every later reservation is unaffected.
  private func fits(_ cost: Int, at instant: Int) -> Bool {
    let before = levels().filter { $0.at > instant }
    var copy = self
    copy.spend(cost, at: instant)
    let after = copy.levels()
    let own = after.last { $0.at == instant }!
    let later = after.filter { $0.at > instant }
    return own.level >= 0
      && zip(before, later).allSatisfy { $1.level >= 0 || $1.level == $0.level }
  }

  /// The level after each change, in parts of a token.
  private func levels() -> [(at: Int, level: Int)] {
    var level = initial * period
    var last = 0
    return changes.map { at, change in
      level = min(level + at - last, burst * period)
      last = at
      switch change {
      case .spend(let cost), .reserved(_, let cost): level -= cost * period
      case .add(let tokens): level = min(level + tokens * period, burst * period)
      case .fill: level = burst * period
      }
      return (at, level)
    }
  }
}

extension CatchUpModel.Waiter {
  fileprivate mutating func unlimit() {
    self = CatchUpModel.Waiter(
      name: name, cost: cost, joined: joined, deadline: .max, floor: floor)
  }
}
