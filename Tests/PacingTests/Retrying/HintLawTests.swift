import Pacing
import PacingTesting
import TestSupport
import Testing

/// A hint against the same run without it, with random settings.
@Suite("Laws of a server's hints")
struct HintLawTests {
  private static func backoff(_ random: inout SplitMix64) -> Backoff {
    let base = Duration.milliseconds(Int.random(in: 0...2000, using: &random))
    let shapes = [
      Backoff.none, .constant(base), .exponential(from: base), .linear(from: base, by: base),
      .list([base, .zero, base]), .custom { base * $0 },
    ]
    let shape = shapes.randomElement(using: &random)!
    let capped = Bool.random(using: &random) ? shape.capped(at: .seconds(3)) : shape
    let jitters = [Jitter.none, .full, .equal, .proportional(0.5), .decorrelated]
    return capped.jittered(
      jitters.randomElement(using: &random)!, seed: .random(in: 0...9, using: &random))
  }

  private static func bound(_ random: inout SplitMix64) -> Duration {
    let bound = Duration.milliseconds(Int.random(in: -10...5000, using: &random))
    return [.seconds(86_400), .zero, bound].randomElement(using: &random)!
  }

  private static func hint(_ random: inout SplitMix64) -> Duration? {
    [
      nil, .zero, .seconds(-5), .milliseconds(Int.random(in: 0...9000, using: &random)),
      .seconds(1),
    ]
    .randomElement(using: &random)!
  }

  private static func advice(_ hint: Duration?) -> RetryAdvice {
    hint.map { .retry(after: $0) } ?? .retry
  }

  @Test("no wait of a retry is shorter for them", arguments: Soak.portions(300))
  func retries(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let policy = RetryPolicy(backoff: Self.backoff(&random), maximumAttempts: 8)
      let bound = Self.bound(&random)
      let hints = (0..<8).map { _ in Self.hint(&random) }
      func delays(_ policy: RetryPolicy, hinting: Bool) -> [Duration] {
        let delays = EventRecorder<Duration>()
        let noting = policy.afterAttempt { if let next = $0.next { delays.record(next.delay) } }
        _ = RetryScene().run(noting) { attempt -> (lasts: Duration, Result<Void, any Error>) in
          let hint = hinting ? hints[attempt.number - 1] : nil
          return (.zero, .failure(RetryPolicyTests.Busy(Self.advice(hint))))
        }
        return delays.values
      }
      let (hinted, plain) = (
        delays(policy.obeyingHints(atMost: bound), hinting: true), delays(policy, hinting: false)
      )
      #expect(hinted.count <= plain.count, "seed \(seed)")
      for (index, delay) in hinted.enumerated() where delay < plain[index] {
        Issue.record("seed \(seed): \(hinted) after \(hints) up to \(bound), else \(plain)")
      }
    }
  }

  @Test("no poll is earlier for them", arguments: Soak.portions(300))
  func polls(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let period = Duration.milliseconds(Int.random(in: 1...3000, using: &random))
      let schedule = PollSchedule(every: period, slowing: Self.backoff(&random))
      // Each poll is compared from the same state.
      var state = PollState(schedule.obeyingHints(atMost: Self.bound(&random)))
      _ = state.start(at: .at(0))
      var now = PacingInstant.at(0)
      for _ in 0..<12 where state.end == nil {
        now = max(now, state.deadline)
        #expect(state.due(at: now) != nil, "seed \(seed)")
        now = now.advanced(by: .milliseconds(Int.random(in: 0...4000, using: &random)))
        _ = state.rest()
        let hint = Self.hint(&random)
        let fails = Bool.random(using: &random)
        var plain = state
        plain.finish(plain.step(ifFailed: fails, advice: nil), at: now)
        let advice = fails || hint != nil ? Self.advice(hint) : nil
        state.finish(state.step(ifFailed: fails, advice: advice), at: now)
        #expect(state.deadline >= plain.deadline, "seed \(seed)")
        guard Bool.random(using: &random), state.end == nil else { continue }
        // A poll that is asked for.
        #expect(state.pollNow(at: now) && plain.pollNow(at: now), "seed \(seed)")
        #expect(state.deadline >= plain.deadline, "seed \(seed)")
      }
    }
  }
}
