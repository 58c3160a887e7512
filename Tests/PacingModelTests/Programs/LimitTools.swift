import Pacing
import PacingTesting
import TestSupport

/// How much a limit has granted, and from when on it grants nothing.
final class GrantLog: Sendable {
  private struct State {
    var granted = 0
    var waiting = 0
    var pausedUntil = PacingInstant.distantPast
    var isClosed = false
    var violation: String?
  }

  private let clock: ManualClock
  private let state = Locked(State())

  init(clock: ManualClock) {
    self.clock = clock
  }

  /// Notes the answer of a call that does not wait.
  func tried(_ cost: Int, _ isGranted: Bool) {
    guard isGranted else { return }
    state.withLock { state in
      state.granted += cost
      guard cost > 0, state.isClosed || clock.now < state.pausedUntil else { return }
      state.violation = "\(cost) granted by a limit that is \(state.isClosed ? "closed" : "paused")"
    }
  }

  func paused(for span: Duration) {
    let end = clock.now.advanced(by: span)
    state.withLock { $0.pausedUntil = max($0.pausedUntil, end) }
  }

  func resumed() { state.withLock { $0.pausedUntil = .distantPast } }

  func closed() { state.withLock { $0.isClosed = true } }

  /// Notes a task that waits for its grant.
  func wait(_ cost: Int, _ body: () async throws -> Void) async throws {
    state.withLock { $0.waiting += 1 }
    defer { state.withLock { $0.waiting -= 1 } }
    try await body()
    state.withLock { $0.granted += cost }
  }

  /// Whether nothing is to be granted now.
  var isRefusing: Bool { state.withLock { $0.isClosed || clock.now < $0.pausedUntil } }

  /// How many tasks have not ended.
  var waiting: Int { state.withLock { $0.waiting } }

  /// What is wrong if at most so much was to be granted.
  func violation(most: Int) -> String? {
    state.withLock { state in
      if let violation = state.violation { return violation }
      return state.granted <= most ? nil : "\(state.granted) tokens granted of \(most)"
    }
  }
}

/// A limit of any kind, and how much it may have granted after a time.
final class LimitTool: ProgramTool {
  let takesValues = false
  private let tool: any LimitingTool
  private let clock: ManualClock
  private let start: PacingInstant
  private let log: GrantLog
  private let lapses: @Sendable () -> Int?
  private let fail: @Sendable (String) -> Void
  private let most: @Sendable (Duration) -> Int

  init(
    _ tool: any LimitingTool, clock: ManualClock, lapses: @escaping @Sendable () -> Int?,
    fail: @escaping @Sendable (String) -> Void, most: @escaping @Sendable (Duration) -> Int
  ) {
    (self.tool, self.clock, self.most, start) = (tool, clock, most, clock.now)
    (self.lapses, self.fail, log) = (lapses, fail, GrantLog(clock: clock))
  }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .take: log.tried(number, tool.tryAcquire(number))
    case .suspend:
      log.paused(for: .milliseconds(number))
      tool.pause(for: .milliseconds(number))
    case .resume:
      log.resumed()
      tool.resume()
    case .reset: tool.correct(remaining: number / 2, resetAfter: .milliseconds(number))
    case .finish:
      tool.close()
      log.closed()
    default: break
    }
  }

  func waiting(_ cost: Int) -> ProgramTask? {
    { [tool, log, clock, lapses, fail] in
      let timeout = cost.isMultiple(of: 3) ? Duration.milliseconds(4 * cost) : nil
      let (start, before) = (clock.now, lapses())
      try await log.wait(cost) { try await tool.acquire(cost, within: timeout) }
      // Nothing was late.
      guard let timeout, let before, before == lapses() else { return }
      let time = start.duration(to: clock.now)
      if time > timeout { fail("\(cost) were granted after \(time) of \(timeout)") }
    }
  }

  /// Grants to waiters may count from an instant up to `catchUp` before the present: not before
  /// the start, so the sum is that of the limit.
  func violation(sent: Int) -> String? {
    if let violation = log.violation(most: most(start.duration(to: clock.now))) { return violation }
    if log.isRefusing, tool.peek(1).isAllowed { return "it is paused or closed, and would grant" }
    let waiting = tool.waitingCount
    return waiting <= log.waiting ? nil : "\(waiting) wait, of \(log.waiting) tasks"
  }
}

/// A limit for each of three keys; a full table has room for two of them, or for all.
final class KeyedLimitTool: ProgramTool {
  let takesValues = false
  private let tool: KeyedRateLimiter<Int>
  private let burst: Int
  private let clock: ManualClock
  private let start: PacingInstant
  private let logs: [GrantLog]

  init(_ tool: Program.Tool, clock: ManualClock) {
    let isTight = tool.variant < 6
    burst = tool.variant + 1
    // A key that is forgotten with a debt would begin again with a full bucket.
    self.tool = KeyedRateLimiter(
      rate: .every(.milliseconds(2)), burst: burst, maximumKeys: isTight ? 2 : 3,
      whenFull: .refuse, clock: clock)
    (self.clock, start) = (clock, clock.now)
    logs = (0..<3).map { _ in GrantLog(clock: clock) }
  }

  func perform(_ verb: Program.Verb, _ number: Int) {
    let key = number % 3
    switch verb {
    case .take: logs[key].tried(number, tool.tryAcquire(number, for: key))
    case .suspend:
      let span = Duration.milliseconds(number)
      if tool.pause(key, for: span) { logs[key].paused(for: span) }
    case .resume:
      logs[key].resumed()
      tool.resume(key)
    case .finish:
      tool.close()
      for log in logs { log.closed() }
    default: break
    }
  }

  func waiting(_ cost: Int) -> ProgramTask? {
    { [tool, log = logs[cost % 3]] in
      try await log.wait(cost) { try await tool.acquire(cost, for: cost % 3) }
    }
  }

  func violation(sent: Int) -> String? {
    let most = burst + Int(start.duration(to: clock.now) / .milliseconds(2))
    for (key, log) in logs.enumerated() {
      if let violation = log.violation(most: most) { return "\(violation), for key \(key)" }
      if log.isRefusing, tool.peek(1, for: key).isAllowed { return "\(key) is paused or closed" }
    }
    let (keys, waiting) = (tool.keyCount, tool.waitingCount)
    let tasks = logs.reduce(0) { $0 + $1.waiting }
    return keys <= 3 && waiting <= tasks ? nil : "\(keys) keys, \(waiting) of \(tasks) tasks"
  }
}
