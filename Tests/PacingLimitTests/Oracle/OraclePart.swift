import Pacing

/// A part of a ``LimitOracle``.
struct OraclePart: Sendable {
  enum Kind: Sendable {
    case bucket, nextPays, sliding, fixed, grid, permits
  }

  /// A token in the parts that a bucket counts.
  static let token = 12

  let name: Limit.Name?
  let kind: Kind
  /// The burst of a bucket, the count of a window, the permits.
  var size: Int
  /// What a bucket gains in a nanosecond, in twelfths of a token.
  var gain = 0
  /// The length of a window.
  var length = 1
  /// The twelfths that a bucket holds, the permits that are held.
  var level = 0
  /// What counts in a window, or has counted.
  var events = [(name: Int, at: Int, amount: Int)]()
  /// When a window has recorded each charge.
  var charges = [Int: Int]()
  /// The instant of the last reset, until something is spent in it.
  var resetAt: Int?
  /// Where the window under way began, or the grid.
  var start: Int?
  /// Where the window under way ends, if it began with its first event.
  var end = 0
  /// The span in which a server's correction has made a window of a grid longer.
  var longer = 0..<0

  static func bucket(
    _ name: Limit.Name? = nil, gain: Int, burst: Int, nextPays: Bool = false
  ) -> OraclePart {
    OraclePart(
      name: name, kind: nextPays ? .nextPays : .bucket, size: burst, gain: gain,
      level: burst * token)
  }

  static func window(
    _ kind: Kind, _ name: Limit.Name? = nil, _ count: Int, per length: Int
  ) -> OraclePart {
    OraclePart(
      name: name, kind: kind, size: count, length: length, start: kind == .grid ? 0 : nil)
  }

  static func permits(_ count: Int) -> OraclePart {
    OraclePart(name: nil, kind: .permits, size: count)
  }

  var isBucket: Bool { kind == .bucket || kind == .nextPays }

  var isWindow: Bool { kind == .sliding || kind == .fixed || kind == .grid }

  var capacity: Int { kind == .nextPays ? .max : size }

  func amount(_ bill: Bill) -> Int { kind == .permits ? 1 : bill.amount(of: name) }

  // MARK: Time

  /// One nanosecond; the bucket may hold too much until `overflow()`.
  mutating func accrue() {
    if isBucket { level += gain }
  }

  mutating func overflow() {
    if isBucket { level = min(level, size * Self.token) }
  }

  func isStill(at time: Int) -> Bool {
    switch kind {
    case .bucket, .nextPays: gain == 0 || level >= size * Self.token
    case .sliding, .fixed, .grid: used(at: time) == 0
    case .permits: true
    }
  }

  // MARK: Amounts

  func used(at time: Int) -> Int {
    let counting =
      switch kind {
      case .sliding: events.filter { time < $0.at + length }
      case .fixed: events.filter { _ in time < end }
      default: events.filter { cell(of: $0.at) == cell(of: time) }
      }
    return counting.reduce(0) { $0 + $1.amount }
  }

  private func cell(of time: Int) -> Int {
    let age = (longer.contains(time) ? longer.lowerBound : time) - (start ?? 0)
    // A charge from before a reset is in no window since.
    return age < 0 ? -1 : age / length
  }

  /// What fits, rounded down.
  func balance(at time: Int) -> Int {
    switch kind {
    case .bucket, .nextPays:
      level >= 0 ? level / Self.token : -((Self.token - 1 - level) / Self.token)
    case .permits: size - level
    case .sliding, .fixed, .grid: size - used(at: time)
    }
  }

  func fits(_ amount: Int, at time: Int) -> Bool {
    guard amount > 0 else { return true }
    return kind == .nextPays ? level >= 0 : balance(at: time) >= amount
  }

  // MARK: Changes

  mutating func spend(_ amount: Int, of name: Int, at now: Int) {
    guard amount > 0 else { return }
    if now == resetAt { resetAt = nil }
    if charges[name] == nil { charges[name] = now }
    switch kind {
    case .bucket, .nextPays: level -= amount * Self.token
    case .permits: level += amount
    case .fixed where start == nil || now >= end:
      start = now
      end = now + length
      events = [(name, now, amount)]
    case .sliding where events.contains { $0.at > now }:
      // A correction counts from later on; what is spent now is not told apart from it.
      events.append((-3, events.last!.at, amount))
    case .sliding, .fixed, .grid: events.append((name, now, amount))
    }
  }

  /// Gives back what a charge has spent, or what came last.
  mutating func giveBack(_ amount: Int, of name: Int?, at now: Int) {
    if isBucket { level = min(level + amount * Self.token, max(level, size * Self.token)) }
    let charged = name.flatMap { charges[$0] }
    guard charged.map({ counts($0, at: now) }) ?? (name == nil) else { return }
    // A charge from the instant of a reset was before it, unless something came in that instant.
    if charged != nil, charged == resetAt { return }
    var left = amount
    // A fixed window is a number: it does not tell its events apart, nor does a sliding one those
    // of one instant.
    for index in events.indices.reversed()
    where (kind != .sliding || charged == nil || events[index].at == charged)
      && counts(events[index].at, at: now)
    {
      let part = min(left, events[index].amount)
      events[index].amount -= part
      left -= part
    }
    events.removeAll { $0.amount == 0 }
  }

  /// Leaves `rest` of what a server says remains, and if that is nothing, nothing before `next`.
  mutating func lower(to rest: Int, next: Int, at now: Int) {
    let isHeld = rest == 0 && next > now
    let excess = max(0, balance(at: now) - rest)
    switch kind {
    case .bucket, .nextPays:
      level = min(level, rest * Self.token)
      let due = kind == .bucket ? Self.token : 0
      if isHeld { level = min(level, due - gain * (next - now)) }
    case .sliding where isHeld:
      let at = next - length
      let leaving = events.filter { $0.at <= at && now < $0.at + length }
      let sum = excess + leaving.reduce(0) { $0 + $1.amount }
      events.removeAll { $0.at <= at }
      if sum > 0 { events.insert((-3, at, sum), at: 0) }
    case .sliding: spend(excess, of: -3, at: now)
    case .fixed:
      spend(excess, of: -3, at: now)
      if isHeld { end = max(end, next) }
    case .grid:
      spend(excess, of: -3, at: now)
      if isHeld, next > windowEnd(now) {
        longer = (longer.contains(now) ? longer.lowerBound : now)..<next
      }
    case .permits: break
    }
  }

  /// The end of a grid's window under way.
  private func windowEnd(_ now: Int) -> Int {
    longer.contains(now) ? longer.upperBound : (cell(of: now) + 1) * length + (start ?? 0)
  }

  private func counts(_ event: Int, at now: Int) -> Bool {
    switch kind {
    case .sliding: now < event + length
    case .fixed: start.map { event >= $0 && now < end } ?? false
    default: cell(of: event) == cell(of: now)
    }
  }

  mutating func reset(at now: Int, grid: Int? = nil) {
    events = []
    start = kind == .grid ? grid ?? now : nil
    end = now
    longer = 0..<0
    charges = charges.filter { $0.value >= now }
    resetAt = now
    if isBucket { level = size * Self.token }
  }

  /// A new part with the settings of this one.
  func unspent(at now: Int, grid: Int? = nil) -> OraclePart {
    var part = self
    part.reset(at: now, grid: grid)
    return part
  }

  /// Whether nothing counts any more, and no window is under way.
  func isAtRest(at now: Int) -> Bool { isStill(at: now) && (kind != .fixed || end <= now) }

  func hasSettings(of other: OraclePart) -> Bool {
    (name, kind, size, gain, length)
      == (other.name, other.kind, other.size, other.gain, other.length)
  }

  /// The same part with the settings of another.
  func changed(to new: OraclePart, at now: Int) -> OraclePart {
    var part = self
    part.size = new.size
    part.gain = new.gain
    part.events.removeAll { !counts($0.at, at: now) }
    part.length = new.length
    part.overflow()
    return part
  }
}
