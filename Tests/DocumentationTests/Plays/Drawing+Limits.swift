import Pacing
import PacingRedis
import PacingTesting

extension Drawing {
  /// Plays the letters of the first row as requests to the limit that a row is about.
  func playLimit(_ label: String, on timeline: Timeline) {
    switch kind {
    case "bucket": playBucket(isWaiting: label == "acquire", on: timeline)
    case "limits":
      let window = Duration.seconds(numbers[1])
      let limits: [String: Limit] = [
        "fixed": .fixedWindow(numbers[0], per: window),
        "sliding": .slidingWindow(numbers[0], per: window),
        "bucket": .tokenBucket(rate: Rate(numbers[0], per: window), burst: numbers[0]),
      ]
      let limiter = RateLimiter(limits[label]!, clock: timeline.clock)
      timeline.play(input) { mark in
        if limiter.tryAcquire() { timeline.draw(mark) }
      }
    case "answers":
      let bucket = TokenBucket(
        rate: .every(.seconds(numbers[1])), burst: numbers[0], clock: timeline.clock)
      timeline.play(input) { _ in timeline.draw(bucket.tryAcquire() ? "y" : "n") }
    case "permits": playPermits(isLimited: label == "limited", on: timeline)
    case "shared": playShared(label, on: timeline)
    default: playOverdraft(label, on: timeline)
    }
  }

  /// A bucket of so many tokens, with one more in so many steps.
  private func playBucket(isWaiting: Bool, on timeline: Timeline) {
    let bucket = TokenBucket(
      rate: .every(.seconds(numbers[1])), burst: numbers[0], clock: timeline.clock)
    timeline.play(input) { mark in
      if isWaiting {
        _ = bucket.acquire { _ in timeline.draw(mark) }
      } else if bucket.tryAcquire() {
        timeline.draw(mark)
      }
    }
  }

  /// Permits that are each held for so many steps, drawn when they are granted; if the starts are
  /// limited, there is one in so many steps.
  private func playPermits(isLimited: Bool, on timeline: Timeline) {
    let clock = timeline.clock
    let starts = isLimited ? [Limit.tokenBucket(rate: .every(.seconds(numbers[2])), burst: 1)] : []
    let limit = ConcurrencyLimit(numbers[0], limitedBy: starts, clock: clock)
    let time = Duration.seconds(numbers[1])
    timeline.play(input) { mark in
      clock.run {
        try? await limit.withPermit {
          timeline.draw(mark)
          try await clock.sleep(for: time)
        }
      }
    }
  }

  /// Each letter is a process that asks; what one of them is granted from a bucket that all share.
  private func playShared(_ label: String, on timeline: Timeline) {
    let clock = timeline.clock
    let store = RedisStore.inMemory(clock: clock)
    let limiters = Dictionary(
      uniqueKeysWithValues: Set(input).filter(\.isLetter).map { process in
        let limiter = SharedRateLimiter<Int>(
          rate: .every(.seconds(numbers[1])), burst: numbers[0], in: store, onFailure: .deny
        ) { "\($0)" }
        return (process, limiter)
      })
    timeline.play(input) { mark in
      guard let limiter = limiters[mark] else { return }
      clock.run {
        if await limiter.tryAcquire(for: 1), "\(mark)" == label { timeline.draw(mark) }
      }
    }
  }

  /// Digits ask for so many tokens, in turn.
  private func playOverdraft(_ label: String, on timeline: Timeline) {
    let bucket = TokenBucket(
      rate: .every(.seconds(numbers[1])), burst: numbers[0], allowsOverdraft: label == "overdraft",
      clock: timeline.clock)
    timeline.play(input) { mark in
      _ = bucket.acquire(Costs(mark.wholeNumberValue ?? 1)) { result in
        if case .success = result { timeline.draw(mark) }
      }
    }
  }
}
