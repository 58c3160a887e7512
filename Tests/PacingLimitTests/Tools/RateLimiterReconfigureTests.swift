import Pacing
import PacingTesting
import Testing

@Suite("RateLimiter: other limits")
struct RateLimiterReconfigureTests {
  let clock = ManualClock()

  @Test("a limit keeps what was spent of the one of its name")
  func keeps() {
    let limiter = RateLimiter(
      .tokenBucket(rate: .perSecond(1), burst: 10).named("burst"),
      .slidingWindow(100, per: .seconds(60)).named("minute"), clock: clock)
    #expect(limiter.take(upTo: 8) == 8)
    let limits: [Limit] = [
      .slidingWindow(9, per: .seconds(60)).named("minute"),
      .tokenBucket(rate: .perSecond(2), burst: 20).named("burst"),
      .fixedWindow(50, per: .seconds(1)).named("second"),
    ]
    limiter.reconfigure(limits)
    #expect(limiter.limits == limits && limiter.available == 1)
    #expect(limiter.request(2).refusedBy == "minute")
    clock.advance(by: .seconds(60))
    #expect(limiter.available == 9)
    limiter.reconfigure([.tokenBucket(rate: .perSecond(1), burst: 10).named("other")])
    #expect(limiter.available == 10)
  }

  @Test("of several with one name, each keeps its own, whatever goes or changes its place")
  func sameName() {
    let minute = Limit.fixedWindow(100, per: .seconds(60)).named(.tokens)
    let day = Limit.fixedWindow(1000, per: .seconds(86_400)).named(.tokens)
    let limiter = RateLimiter(minute, day, clock: clock)
    for _ in 0..<10 {
      #expect(limiter.tryAcquire(100))
      clock.advance(by: .seconds(60))
    }
    for limits in [
      [day, minute], [day], [.fixedWindow(5, per: .seconds(60)).named(.tokens), day],
    ] {
      limiter.reconfigure(limits)
      #expect(limiter.available == 0)
    }
    limiter.reconfigure([minute])
    #expect(limiter.available == 100)
  }

  @Test("waiters are served by the new limits, or refused at once")
  func waiters() {
    let recorder = Locked([String]())
    let limiter = RateLimiter(.slidingWindow(5, per: .seconds(10)), clock: clock)
    #expect(limiter.tryAcquire(5))
    for (name, cost) in [("small", 1), ("large", 5)] {
      _ = limiter.acquire(Costs(cost)) { result in
        if case .failure(let error) = result {
          recorder.withLock { $0.append("\(error)") }
        } else {
          recorder.withLock { $0.append(name) }
        }
      }
    }
    limiter.reconfigure([.slidingWindow(3, per: .seconds(1))])
    clock.runReady()
    #expect(recorder.withLock { $0 } == ["exceedsBurst(cost: 5, burst: 3)"])
    clock.advance(by: .seconds(1))
    #expect(recorder.withLock { $0 }.last == "small" && limiter.available == 2)
  }

  @Test(
    "a first waiter that the new limits can never serve is refused, and the next one served",
    arguments: [
      Limit.slidingWindow(3, per: .seconds(1)), .fixedWindow(3, per: .seconds(1)),
      .tokenBucket(rate: .perSecond(3), burst: 3),
    ])
  func head(limit: Limit) {
    let recorder = EventRecorder<String>()
    let limiter = RateLimiter(.slidingWindow(5, per: .seconds(10)), clock: clock)
    #expect(limiter.tryAcquire(5))
    for cost in [5, 1] {
      limiter.acquire(Costs(cost)) { result in
        if case .failure(let error) = result { recorder.record("\(error)") }
        if case .success = result { recorder.record("\(cost)") }
      }
    }
    limiter.reconfigure([limit.named("other")])
    clock.runReady()
    #expect(recorder.values == ["exceedsBurst(cost: 5, burst: 3)", "1"])
  }
}
