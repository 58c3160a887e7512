import Pacing
import PacingTesting
import TestSupport

typealias ProgramTask = @Sendable () async throws -> Void

/// A tool of any kind, behind the verbs of programs; a verb that it does not have does nothing.
protocol ProgramTool: Sendable {
  var takesValues: Bool { get }
  func perform(_ verb: Program.Verb, _ number: Int)
  /// The body of a task that reads the tool's stream, and sleeps after each element.
  func consumer(slow pause: Duration, on clock: ManualClock) -> ProgramTask?
  /// The body of a task that waits: for tokens, an answer, or an operation that is tried again.
  func waiting(_ cost: Int) -> ProgramTask?
  /// The body of the task that the tool is.
  func ownTask() -> ProgramTask?
  /// What is wrong with the tool.
  func violation(sent: Int) -> String?
}

extension ProgramTool {
  var takesValues: Bool { true }
  func consumer(slow pause: Duration, on clock: ManualClock) -> ProgramTask? { nil }
  func waiting(_ cost: Int) -> ProgramTask? { nil }
  func ownTask() -> ProgramTask? { nil }
  func violation(sent: Int) -> String? { nil }

  func reading(
    _ stream: AsyncStream<some Sendable>, slow pause: Duration, on clock: ManualClock
  ) -> ProgramTask {
    { for await _ in stream where pause > .zero { try await clock.sleep(for: pause) } }
  }

  func difference(_ counts: DeliveryStatistics, _ sent: Int) -> String? {
    let sum = counts.delivered + counts.merged + counts.dropped + counts.pending
    return counts.received == sent && sum == sent ? nil : "\(sent) sent, \(counts)"
  }
}

extension ProgramRun {
  /// Makes a tool; its handler holds a burden that tells when it is released.
  func makeTool(_ tool: Program.Tool, _ index: Int, _ generation: Int) -> any ProgramTool {
    living.add()
    let burden = Burden("handler") { [living] in living.add(-1) }
    // The run outlives its tools, and its tools are not to keep it.
    let note: @Sendable ([Int]) -> Void = { [weak self] values in
      withExtendedLifetime(burden) { self?.handle(values, of: index, generation) }
    }
    let noteKeyed: @Sendable (Int, Int) -> Void = { [weak self] key, value in
      withExtendedLifetime(burden) { self?.handle([value], key: key, of: index, generation) }
    }
    let noteTick: @Sendable (Tick) -> Void = { [weak self, clock] tick in
      if tick.scheduled > clock.now { self?.fail("tick \(tick.index) is early") }
      note([])
    }
    let fail: @Sendable (String) -> Void = { [weak self] in self?.fail($0) }
    let lapses: @Sendable () -> Int? = { [weak self] in self?.lapses }
    let span = Duration.milliseconds(max(0, tool.span - (fault == .hurries ? 1 : 0)))
    let edges = [Edges.leading, .trailing, .both][tool.variant % 3]
    let keep = tool.variant < 6 ? Keep<Int>.latest : .reducing { Swift.max($0, $1) }
    let period = max(span, .milliseconds(1))
    switch tool.kind {
    case .debouncer:
      let limit = tool.variant.isMultiple(of: 2) ? nil : span * 2
      return ValueTool(
        Debouncer(for: span, edges: edges, maximumWait: limit, keeping: keep, clock: clock) {
          note([$0])
        })
    case .throttler:
      return ValueTool(
        Throttler(every: span, edges: edges, keeping: keep, clock: clock) { note([$0]) })
    case .auditor: return ValueTool(Auditor(for: span, clock: clock) { note([$0]) })
    case .sampler: return ValueTool(Sampler(every: period, clock: clock) { note([$0]) })
    case .batcher:
      return BatchTool(
        tool: Batcher(
          maximumCount: tool.variant + 1, maximumDelay: span, clock: clock, handler: note))
    case .keyedDebouncer:
      return KeyedTool(
        KeyedDebouncer<Int, Int>(
          for: span, edges: edges, maximumKeys: tool.variant < 6 ? nil : 2, whenFull: .makeRoom,
          clock: clock, handler: noteKeyed))
    case .keyedThrottler:
      return KeyedTool(
        KeyedThrottler<Int, Int>(every: span, edges: edges, clock: clock, handler: noteKeyed))
    case .timer:
      return TimerTool(tool: DispatchTimer(.every(period), clock: clock, handler: noteTick))
    case .wallTimer:
      let schedule = TickSchedule.every(period, first: .aligned, missed: .coalesce)
      return TimerTool(tool: DispatchTimer(schedule, clock: clock, handler: noteTick))
    case .poller:
      let schedule = PollSchedule(
        every: period, slowing: .exponential(from: span).capped(at: .milliseconds(50)))
      let polls = Counter()
      return PollTool(
        tool: Poller(schedule, clock: clock) {
          if tool.variant < 4, polls.add().isMultiple(of: 3) { throw ProgramFailure() }
        }.handle { _ in note([]) })
    case .bucket:
      // No handler: nothing holds the burden, here and below.
      let burst = tool.variant + 1
      return LimitTool(
        TokenBucket(rate: .every(.milliseconds(2)), burst: burst, clock: clock), clock: clock,
        lapses: lapses, fail: fail
      ) { burst + Int($0 / .milliseconds(2)) }
    case .limiter:
      // Mostly the window is the tighter one.
      let (burst, count) = (tool.variant + 9, tool.variant % 6 + 3)
      let limiter = RateLimiter(
        .tokenBucket(rate: .every(.milliseconds(2)), burst: burst),
        tool.variant < 6
          ? .fixedWindow(count, per: .milliseconds(10))
          : .slidingWindow(count, per: .milliseconds(10)), clock: clock)
      return LimitTool(limiter, clock: clock, lapses: lapses, fail: fail) { time in
        min(burst + Int(time / .milliseconds(2)), count * (1 + Int(time / .milliseconds(10))))
      }
    case .keyedLimiter: return KeyedLimitTool(tool, clock: clock)
    case .permits:
      return PermitTool(
        most: tool.variant % 4 + 1, isAdaptive: tool.variant >= 8, clock: clock)
    case .retry:
      let policy = RetryPolicy(
        backoff: .exponential(from: span), maximumAttempts: tool.variant % 5 + 1)
      return RetryTool(policy: policy, clock: clock) { note([]) }
    case .retryTimer:
      let attempts = AttemptLog(tool, clock: clock, lapses: lapses)
      let backoff = Backoff.exponential(from: span).capped(at: AttemptLog.cap)
      return AttemptTool(
        tool: RetryTimer(backoff: backoff, healthyPeriod: span * 4, clock: clock) { attempt in
          attempts.begins(attempt)
          note([])
        }, log: attempts)
    case .timeout:
      return TimeoutTool(timeout: span, clock: clock, lapses: lapses, run: { note([]) }, fail: fail)
    case .asyncDebouncer:
      let operation = ProgramOperation(tool, clock: clock) { note([]) }
      return CallTool(
        AsyncDebouncer<Int, Int>(
          for: span, edges: edges, overlap: operation.overlap, clock: clock
        ) { try await operation.run($0) }, operation)
    case .asyncThrottler:
      let operation = ProgramOperation(tool, clock: clock) { note([]) }
      return CallTool(
        AsyncThrottler<Int, Int>(
          every: span, edges: edges, overlap: operation.overlap, clock: clock
        ) { try await operation.run($0) }, operation)
    case .crowd: return CrowdTool(clock: clock)
    case .chain: return ChainTool(tool, clock: clock) { note([$0]) }
    }
  }
}

/// What an operation throws that fails.
struct ProgramFailure: Error {}
