import Pacing
import PacingTesting
import TestSupport
import Testing

/// Whole runs: the same seed gives the same run, and every run matches a naive model.
@Suite("retry: traces and laws")
struct RetryTraceTests {
  typealias Flaky = RetryScene.Flaky

  /// A policy and the ends of its attempts, drawn from a seed.
  struct Story {
    let backoff: Backoff
    let attempts: Int?
    let maximumDuration: Duration?
    let lasts: [Duration]
    let successAt: Int

    init(seed: UInt64, jitter: Jitter? = nil) {
      var random = SplitMix64(seed: seed)
      let base = Duration.milliseconds(Int.random(in: 0...500, using: &random))
      let jitters: [Jitter] = [
        .none, .full, .equal, .proportional(0.3), .decorrelated,
      ]
      let shapes: [Backoff] = [
        .constant(base), .linear(from: base, by: base), .exponential(from: base),
        .custom { base * ($0 % 5) },
      ]
      let drawn = jitters.randomElement(using: &random)!
      backoff = shapes.randomElement(using: &random)!
        .capped(at: .milliseconds(Int.random(in: 0...3000, using: &random)))
        .jittered(jitter ?? drawn, seed: seed)
      attempts = Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : nil
      maximumDuration = .milliseconds(Int.random(in: 0...9000, using: &random))
      lasts = (0..<40).map { _ in .milliseconds(Int.random(in: 1...700, using: &random)) }
      successAt = Int.random(in: 1...30, using: &random)
    }

    func policy(_ scene: RetryScene) -> RetryPolicy {
      scene.traced(
        scene.policy(backoff, attempts: attempts, maximumDuration: maximumDuration))
    }

    func outcome(_ attempt: Attempt) -> (lasts: Duration, Result<Int, any Error>) {
      let number = attempt.number
      return (
        lasts[number % lasts.count],
        number == successAt ? .success(number) : .failure(Flaky(number: number))
      )
    }

    /// The run with closures, as text.
    func played() -> [String] {
      let scene = RetryScene()
      let result = scene.run(policy(scene)) { outcome($0) }
      return scene.trace.values + ["\(String(describing: result))"]
    }
  }

  @Test("with a seed, a whole run replays bit for bit", arguments: Soak.seeds(50))
  func replay(seed: UInt64) {
    #expect(Story(seed: seed).played() == Story(seed: seed).played())
  }

  @Test("closures and async are the same retry", arguments: Soak.seeds(30))
  func faces(seed: UInt64) async {
    let story = Story(seed: seed)
    let closures = story.played()
    // An attempt with a duration is a wait, and so is a non-zero delay.
    let attempts = closures.count { $0.contains("succeeded in") || $0.contains("Flaky(number") }
    let scene = RetryScene()
    let policy = story.policy(scene)
    let task = Task { [clock = scene.clock] in
      try await retry(policy, clock: clock) { attempt in
        let (lasts, result) = story.outcome(attempt)
        try await clock.sleep(for: lasts)
        return try result.get()
      }
    }
    let pauses = closures.count { $0.contains(", next") && !$0.hasSuffix("after 0.0 seconds") }
    let ended = closures.last!.contains("failure") ? 1 : 0
    _ = await scene.passWaits(attempts - ended + pauses)
    _ = await task.result
    #expect(scene.trace.values == Array(closures.dropLast()), "seed \(seed)")
  }

  @Test("every run without jitter is what a naive model says", arguments: Soak.seeds(100))
  func law(seed: UInt64) {
    let story = Story(seed: seed, jitter: Jitter.none)
    var lines = [String]()
    var (now, number, delay) = (Duration.zero, 1, Duration.zero)
    var delays = story.backoff.delays()
    while true {
      lines.append("\(now): \(number) after \(delay)")
      let lasts = story.lasts[number % story.lasts.count]
      now += lasts
      guard number != story.successAt else {
        lines.append("\(now): \(number) succeeded in \(lasts)")
        break
      }
      let next = delays.next()!
      let isExhausted = story.attempts.map { number >= $0 } ?? false
      let isOverdue = now + next >= story.maximumDuration!
      let failure = "\(now): \(number) \(Flaky(number: number)) in \(lasts)"
      guard !isExhausted, !isOverdue else {
        let reason = isExhausted ? "exhausted" : "deadline"
        let needed = isExhausted ? "" : ", needed \(next)"
        lines += [failure, "\(now): \(reason) after \(number) in \(now)\(needed)"]
        break
      }
      lines.append("\(failure), next \(number + 1) after \(next)")
      (now, number, delay) = (now + next, number + 1, next)
    }
    #expect(story.played().dropLast() == lines[...], "seed \(seed)")
  }

  /// The number of values that a value holds, recursively.
  private static func size(_ value: Any) -> Int {
    Mirror(reflecting: value).children.reduce(1) { $0 + size($1.value) }
  }

  @Test("a hundred thousand attempts take constant memory, and the last one is like the first")
  func constantMemory() {
    let policy = RetryPolicy(
      backoff: .exponential(from: .nanoseconds(1)).capped(at: .seconds(1)).jittered(.full),
      maximumAttempts: 100_000)
    var now = PacingInstant(nanoseconds: 0)
    var state = RetryState(policy, start: now)
    var early = 0
    for number in 2...100_000 {
      state.begin(at: now)
      guard case .retry(let attempt, at: let instant) = state.failed(with: Flaky(), at: now) else {
        Issue.record("no attempt \(number)")
        return
      }
      now = instant
      if attempt.number != number { Issue.record("\(attempt) is not the attempt \(number)") }
      if number == 100 { early = Self.size(state) }
    }
    #expect(Self.size(state) == early)
    guard case .giveUp(let end) = state.failed(with: Flaky(), at: now) else {
      Issue.record("one too many")
      return
    }
    #expect(end.attempts == 100_000)
  }

  @Test("twenty thousand attempts of one call leave nothing behind")
  func manyAttempts() async throws {
    let clock = ManualClock()
    let last = try await retry(
      RetryPolicy(backoff: .none, maximumAttempts: nil), clock: clock
    ) { attempt in
      if attempt.number < 20_000 { throw Flaky() }
      return attempt.number
    }
    #expect(last == 20_000)
    #expect(clock.pendingCount == 0)
  }
}
