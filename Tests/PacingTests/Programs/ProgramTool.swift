import Pacing
import PacingTesting
import TestSupport

/// A tool of any kind, behind the verbs of programs; a verb that it does not have does nothing.
protocol ProgramTool: Sendable {
  var takesValues: Bool { get }
  func perform(_ verb: Program.Verb, _ number: Int)
  /// The body of a task that reads the tool's stream.
  func consumer() -> (@Sendable () async throws -> Void)?
  /// The body of a task that waits for tokens.
  func waiting(_ cost: Int) -> (@Sendable () async throws -> Void)?
  /// What is wrong with the tool.
  func violation(sent: Int) -> String?
}

extension ProgramTool {
  var takesValues: Bool { true }
  func waiting(_ cost: Int) -> (@Sendable () async throws -> Void)? { nil }

  fileprivate func reading(
    _ stream: AsyncStream<some Sendable>
  ) -> @Sendable () async throws -> Void {
    { for await _ in stream {} }
  }

  fileprivate func difference(_ counts: DeliveryStatistics, _ sent: Int) -> String? {
    let sum = counts.delivered + counts.merged + counts.dropped + counts.pending
    return counts.received == sent && sum == sent ? nil : "\(sent) sent, \(counts)"
  }
}

extension ProgramRun {
  /// Makes a tool; its handler holds a burden that tells when it is released.
  func makeTool(_ tool: Program.Tool, _ index: Int) -> any ProgramTool {
    living.add()
    let burden = Burden("handler") { [living] in living.add(-1) }
    // The run outlives its tools, and its tools are not to keep it.
    let note: @Sendable (Int) -> Void = { [weak self] value in
      withExtendedLifetime(burden) { self?.handle([value], of: index) }
    }
    let noteKeyed: @Sendable (Int, Int) -> Void = { [weak self] key, value in
      withExtendedLifetime(burden) { self?.handle([value], key: key, of: index) }
    }
    let span = Duration.milliseconds(tool.span)
    let edges = [Edges.leading, .trailing, .both][tool.variant % 3]
    let keep = tool.variant < 6 ? Keep<Int>.latest : .reducing { Swift.max($0, $1) }
    let period = max(span, .milliseconds(1))
    switch tool.kind {
    case .debouncer:
      let limit = tool.variant.isMultiple(of: 2) ? nil : span * 2
      return ValueTool(
        Debouncer(
          for: span, edges: edges, maximumWait: limit, keeping: keep, clock: clock, handler: note))
    case .throttler:
      return ValueTool(
        Throttler(every: span, edges: edges, keeping: keep, clock: clock, handler: note))
    case .auditor: return ValueTool(Auditor(for: span, clock: clock, handler: note))
    case .sampler: return ValueTool(Sampler(every: period, clock: clock, handler: note))
    case .batcher:
      return BatchTool(
        tool: Batcher(maximumCount: tool.variant + 1, maximumDelay: span, clock: clock) {
          [weak self] (batch: [Int]) in
          withExtendedLifetime(burden) { self?.handle(batch, of: index) }
        })
    case .keyedDebouncer:
      let limit = KeyLimit(maximumKeys: 2, whenFull: .flushEarliest)
      return KeyedTool(
        KeyedDebouncer<Int, Int>(
          for: span, edges: edges, keyLimit: tool.variant < 6 ? .unlimited : limit, clock: clock,
          handler: noteKeyed))
    case .keyedThrottler:
      return KeyedTool(
        KeyedThrottler<Int, Int>(every: span, edges: edges, clock: clock, handler: noteKeyed))
    case .timer:
      return TimerTool(
        tool: DispatchTimer(.every(period), clock: clock) { [weak self, clock] tick in
          if tick.scheduled > clock.now { self?.fail("tick \(tick.index) is early") }
          withExtendedLifetime(burden) { self?.handle([], of: index) }
        })
    case .poller:
      return PollTool(
        tool: Poller(PollSchedule(every: period), clock: clock) {
          tool.variant
        } handler: { [weak self] _ in
          withExtendedLifetime(burden) { self?.handle([], of: index) }
        })
    case .bucket:
      // No handler: nothing holds the burden.
      return BucketTool(
        tool: TokenBucket(rate: .every(.milliseconds(2)), burst: tool.variant + 1, clock: clock),
        burst: tool.variant + 1, clock: clock)
    }
  }
}

/// The verbs that are the same for all tools for values.
private protocol Steerable: AnyObject {
  func suspend()
  func resume()
  var isEnabled: Bool { get set }
}

extension Steerable {
  func steer(_ verb: Program.Verb) {
    switch verb {
    case .suspend: suspend()
    case .resume: resume()
    case .disable: isEnabled = false
    case .enable: isEnabled = true
    default: break
    }
  }
}

extension Debouncer: Steerable {}
extension Throttler: Steerable {}
extension Auditor: Steerable {}
extension Sampler: Steerable {}
extension Batcher: Steerable {}
extension KeyedDebouncer: Steerable {}
extension KeyedThrottler: Steerable {}

private struct ValueTool<Tool: PacingTool<Int> & Steerable>: ProgramTool {
  let tool: Tool

  init(_ tool: Tool) { self.tool = tool }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .send: tool.send(number)
    case .flush: tool.flush()
    case .cancel: tool.cancel()
    case .finish: tool.finish()
    case .reset: (tool as? Throttler<Int>)?.reset()
    default: tool.steer(verb)
    }
  }

  func consumer() -> (@Sendable () async throws -> Void)? {
    reading(tool.ticks())
  }

  func violation(sent: Int) -> String? { difference(tool.statistics, sent) }
}

private struct BatchTool: ProgramTool {
  let tool: Batcher<Int>

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .send: tool.send(number)
    case .flush: tool.flush()
    case .cancel: tool.cancel()
    case .finish: tool.finish()
    default: tool.steer(verb)
    }
  }

  func consumer() -> (@Sendable () async throws -> Void)? {
    reading(tool.ticks())
  }

  func violation(sent: Int) -> String? { difference(tool.statistics, sent) }
}

private struct KeyedTool<Tool: KeyedPacingTool<Int, Int> & Steerable>: ProgramTool {
  let tool: Tool

  init(_ tool: Tool) { self.tool = tool }

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .send: tool.send(number, key: number % 3)
    case .flush: _ = number.isMultiple(of: 2) ? tool.flush() : tool.flush(number % 3)
    case .cancel where number.isMultiple(of: 2): tool.cancel()
    case .cancel: tool.cancel(number % 3)
    case .finish: tool.finish()
    default: tool.steer(verb)
    }
  }

  func consumer() -> (@Sendable () async throws -> Void)? {
    reading(tool.ticks())
  }

  func violation(sent: Int) -> String? { difference(tool.statistics, sent) }
}

private struct TimerTool: ProgramTool {
  let tool: DispatchTimer
  let takesValues = false

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .start: tool.start()
    case .suspend: tool.suspend(keepingRemaining: number.isMultiple(of: 2))
    case .resume: tool.resume()
    case .reset: tool.reset()
    case .fire: tool.fireNow()
    case .flush: tool.reschedule(every: .milliseconds(number + 1))
    case .cancel: tool.cancel()
    default: break
    }
  }

  func consumer() -> (@Sendable () async throws -> Void)? {
    reading(tool.ticks())
  }

  func violation(sent: Int) -> String? { nil }
}

private struct PollTool: ProgramTool {
  let tool: Poller
  let takesValues = false

  func perform(_ verb: Program.Verb, _ number: Int) {
    switch verb {
    case .start: tool.start()
    case .suspend: tool.suspend()
    case .resume: tool.resume(pollingNow: number.isMultiple(of: 2))
    case .fire: tool.pollNow()
    case .flush: tool.reschedule(every: .milliseconds(number + 1))
    case .cancel: tool.cancel()
    default: break
    }
  }

  func consumer() -> (@Sendable () async throws -> Void)? { nil }
  func violation(sent: Int) -> String? { nil }
}

private final class BucketTool: ProgramTool {
  let tool: TokenBucket
  let takesValues = false
  private let burst: Int
  private let clock: ManualClock
  private let start: PacingInstant
  private let granted = Counter()

  init(tool: TokenBucket, burst: Int, clock: ManualClock) {
    (self.tool, self.burst, self.clock, start) = (tool, burst, clock, clock.now)
  }

  func perform(_ verb: Program.Verb, _ number: Int) {
    if verb == .take, tool.tryAcquire(number) { granted.add(number) }
  }

  func consumer() -> (@Sendable () async throws -> Void)? { nil }

  func waiting(_ cost: Int) -> (@Sendable () async throws -> Void)? {
    { [tool, granted] in
      try await tool.acquire(cost)
      granted.add(cost)
    }
  }

  /// Grants to waiters may count from an instant up to `catchUp` before the present: not before
  /// the start, so the sum is that of the bucket.
  func violation(sent: Int) -> String? {
    let most = burst + Int(start.duration(to: clock.now) / .milliseconds(2))
    return granted.value <= most ? nil : "\(granted.value) tokens granted of \(most)"
  }
}
