import Pacing

/// A token bucket as the oracle of a key, simulated step by step: a nanosecond brings `tokens`
/// parts one by one, of which `period` are a token.
struct NaiveKey {
  /// `tokens` per `period` nanoseconds, up to `burst`.
  struct Terms: Hashable {
    let tokens: Int
    let period: Int
    let burst: Int

    var full: Int { burst * period }
  }

  let terms: Terms
  var parts: Int
  private(set) var now: Int
  var pausedUntil = 0
  var queue = [(name: Int, cost: Int)]()

  init(_ terms: Terms, at now: Int) {
    self.terms = terms
    self.now = now
    parts = terms.full
  }

  /// Whether it has waiters or a pause.
  var isBusy: Bool { !queue.isEmpty || now < pausedUntil }

  /// Whether the table need not keep it.
  var isDone: Bool { !isBusy && parts == terms.full }

  var available: Int {
    Int((Double(parts) / Double(terms.period)).rounded(.down)) - queue.reduce(0) { $0 + $1.cost }
  }

  /// Lets a nanosecond pass, and returns the names served in it.
  mutating func tick() -> [Int] {
    var served = [Int]()
    for _ in 0..<terms.tokens {
      parts = min(parts + 1, terms.full)
      served += serve()
    }
    now += 1
    return served + serve()
  }

  mutating func serve() -> [Int] {
    var served = [Int]()
    while now >= pausedUntil, let head = queue.first, parts >= head.cost * terms.period {
      parts -= head.cost * terms.period
      served.append(queue.removeFirst().name)
    }
    return served
  }

  func holds(_ cost: Int) -> Bool { cost == 0 || !isBusy && parts >= cost * terms.period }

  mutating func spend(_ cost: Int) { parts -= cost * terms.period }

  func decision(_ cost: Int) -> Decision {
    var after = self
    if holds(cost) { after.spend(cost) }
    return Decision(
      isAllowed: holds(cost),
      remaining: isBusy ? 0 : max(0, after.parts / terms.period),
      retryAfter: cost > terms.burst ? nil : .nanoseconds(wait { $0.holds(cost) }),
      resetAfter: .nanoseconds(after.wait { $0.queue.isEmpty && $0.parts == terms.full }),
      isPossible: cost <= terms.burst)
  }

  /// The nanoseconds until a condition holds, if nothing more is spent, by trial.
  func wait(until isMet: (NaiveKey) -> Bool) -> Int {
    var copy = self
    while !isMet(copy) { _ = copy.tick() }
    return copy.now - now
  }
}

/// The oracle of a full table: a list of the keys whose buckets are not full, or that have waiters
/// or a pause.
struct NaiveTable {
  /// What a request finds for those of its keys that the table does not contain.
  enum Room: Equatable {
    case free
    /// A number of others that must be forgotten.
    case forgetting(Int)
    /// The nanoseconds until there is room, nil if only keys with waiters or a pause could make it.
    case none(Int?)
  }

  let maximum: Int
  let whenFull: WhenFull
  let terms: @Sendable (Int) -> NaiveKey.Terms
  private(set) var now = 0
  private(set) var entries = [(key: Int, bucket: NaiveKey)]()
  /// Keys whose buckets have filled with time, which the table may not have dropped yet.
  private(set) var fading = Set<Int>()
  var granted = 0
  var refused = 0
  var withdrawn = 0
  private(set) var forgotten = 0
  /// The names of the waiters that were served.
  var served = Set<Int>()

  init(maximum: Int, whenFull: WhenFull, terms: @escaping @Sendable (Int) -> NaiveKey.Terms) {
    self.maximum = maximum
    self.whenFull = whenFull
    self.terms = terms
  }

  var waitingCount: Int { entries.reduce(0) { $0 + $1.bucket.queue.count } }

  func index(of key: Int) -> Int? { entries.firstIndex { $0.key == key } }

  mutating func tick() {
    now += 1
    for index in entries.indices { note(entries[index].bucket.tick()) }
    fading.formUnion(entries.filter { $0.bucket.isDone }.map { $0.key })
    tidy()
  }

  mutating func note(_ names: [Int]) {
    granted += names.count
    served.formUnion(names)
  }

  /// Drops the keys that need no entry.
  private mutating func tidy() {
    entries.removeAll { $0.bucket.isDone }
    fading.subtract(entries.map { $0.key })
    // The others have taken the places of all that were full.
    if entries.count == maximum { fading = [] }
  }

  func room(for keys: [Int]) -> Room {
    let missing = entries.count + keys.count { index(of: $0) == nil } - maximum
    guard missing > 0, keys.contains(where: { index(of: $0) == nil }) else { return .free }
    let others = leaving(besides: keys).map { $0.wait }
    guard missing <= others.count else { return .none(nil) }
    return whenFull == .makeRoom ? .forgetting(missing) : .none(others[missing - 1])
  }

  /// The keys that may be forgotten, with the time until each is full, the first to be full first.
  private func leaving(besides keys: [Int]) -> [(key: Int, wait: Int)] {
    entries.filter { !keys.contains($0.key) && !$0.bucket.isBusy }
      .map { ($0.key, $0.bucket.wait(until: \.isDone)) }
      .sorted { $0.wait < $1.wait }
  }

  /// The bucket that would be charged, nil if a full table refuses the key.
  func bucket(_ key: Int, _ room: Room) -> NaiveKey? {
    if let index = index(of: key) { return entries[index].bucket }
    if case .none = room { return nil }
    return NaiveKey(terms(key), at: now)
  }

  func decision(_ cost: Int, _ key: Int, _ room: Room) -> Decision {
    if let bucket = bucket(key, room) { return bucket.decision(cost) }
    guard case .none(let wait) = room else { preconditionFailure("there is room") }
    let isNever = cost > terms(key).burst
    return Decision(
      isAllowed: cost == 0, remaining: 0,
      retryAfter: isNever ? nil : cost == 0 ? .zero : wait.map { .nanoseconds($0) },
      resetAfter: .nanoseconds(wait ?? 0),
      refusedBy: isNever || cost == 0 ? nil : Limit.Name.table, isPossible: !isNever)
  }

  /// Changes the bucket that a key is charged to, and makes an entry if there is room for one.
  mutating func change(_ key: Int, _ body: (inout NaiveKey) -> Void) {
    if let index = index(of: key) {
      body(&entries[index].bucket)
    } else if room(for: [key]) == .free {
      var bucket = NaiveKey(terms(key), at: now)
      body(&bucket)
      entries.append((key, bucket))
    }
    serve()
  }

  private mutating func serve() {
    for index in entries.indices { note(entries[index].bucket.serve()) }
    tidy()
  }

  /// Removes a waiter; false if it no longer waits.
  mutating func withdraw(_ name: Int) -> Bool {
    let before = waitingCount
    for index in entries.indices { entries[index].bucket.queue.removeAll { $0.name == name } }
    guard waitingCount < before else { return false }
    withdrawn += 1
    serve()
    return true
  }

  /// Charges keys for which a decision was positive, and forgets others to make room for them.
  ///
  /// Of keys that are full at the same instant any may go: `isForgotten` looks which the table has
  /// forgotten. False if it has not forgotten as many as it had to.
  mutating func charge(_ cost: Int, to keys: [Int], isForgotten: (Int) -> Bool) -> Bool {
    var isRight = true
    let room = room(for: keys)
    if case .forgetting(let count) = room {
      let others = leaving(besides: keys)
      let last = others[count - 1].wait
      let sure = others.filter { $0.wait < last }.map { $0.key }
      let gone = sure + others.filter { $0.wait == last && isForgotten($0.key) }.map { $0.key }
      isRight = gone.count == count
      forgotten += count
      entries.removeAll { gone.contains($0.key) }
    }
    let known = keys.filter { index(of: $0) != nil }
    for key in known { change(key) { $0.spend(cost) } }
    let new = keys.filter { !known.contains($0) }
    for key in new { change(key) { $0.spend(cost) } }
    return isRight
  }
}
