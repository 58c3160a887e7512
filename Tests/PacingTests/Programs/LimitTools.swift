import Pacing
import PacingTesting
import TestSupport

/// A limit of any kind, and how much it may have granted after a time.
final class LimitTool: ProgramTool {
  let takesValues = false
  private let tool: any LimitingTool
  private let clock: ManualClock
  private let start: PacingInstant
  private let granted = Counter()
  private let most: @Sendable (Duration) -> Int

  init(
    _ tool: any LimitingTool, clock: ManualClock, most: @escaping @Sendable (Duration) -> Int
  ) {
    (self.tool, self.clock, self.most, start) = (tool, clock, most, clock.now)
  }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .take: if tool.tryAcquire(number) { granted.add(number) }
    case .suspend: tool.pause(for: .milliseconds(number))
    case .resume: tool.resume()
    case .finish: tool.close()
    default: break
    }
  }

  func waiting(_ cost: Int) -> ProgramTask? {
    { [tool, granted] in
      try await tool.acquire(cost, within: cost.isMultiple(of: 3) ? .milliseconds(4 * cost) : nil)
      granted.add(cost)
    }
  }

  /// Grants to waiters may count from an instant up to `catchUp` before the present: not before
  /// the start, so the sum is that of the limit.
  func violation(sent: Int) -> String? {
    let most = most(start.duration(to: clock.now))
    return granted.value <= most ? nil : "\(granted.value) tokens granted of \(most)"
  }
}

/// A limit for each of three keys; a full table has room for two of them, or for all.
final class KeyedLimitTool: ProgramTool {
  let takesValues = false
  private let tool: KeyedRateLimiter<Int>
  private let burst: Int
  private let clock: ManualClock
  private let start: PacingInstant
  private let granted = [Counter(), Counter(), Counter()]

  init(_ tool: Program.Tool, clock: ManualClock) {
    let isTight = tool.variant < 6
    burst = tool.variant + 1
    // A key that is forgotten with a debt would begin again with a full bucket.
    self.tool = KeyedRateLimiter(
      rate: .every(.milliseconds(2)), burst: burst, maximumKeys: isTight ? 2 : 3,
      whenFull: .refuse, clock: clock)
    (self.clock, start) = (clock, clock.now)
  }

  func perform(_ verb: Program.Verb, _ number: Int) {
    let key = number % 3
    switch verb {
    case .take: if tool.tryAcquire(number, for: key) { granted[key].add(number) }
    case .suspend: tool.pause(key, for: .milliseconds(number))
    case .resume: tool.resume(key)
    case .finish: tool.close()
    default: break
    }
  }

  func waiting(_ cost: Int) -> ProgramTask? {
    { [tool, granted] in
      let key = cost % 3
      try await tool.acquire(cost, for: key)
      granted[key].add(cost)
    }
  }

  func violation(sent: Int) -> String? {
    let most = burst + Int(start.duration(to: clock.now) / .milliseconds(2))
    for (key, count) in granted.enumerated() where count.value > most {
      return "\(count.value) tokens granted of \(most), for key \(key)"
    }
    let statistics = tool.statistics
    return statistics.keys <= 3 && statistics.waiting >= 0 ? nil : "\(statistics)"
  }
}
