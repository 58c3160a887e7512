import TestSupport
import Testing

@testable import Pacing

@Suite("PollState")
struct PollStateTests {
  static func schedule(
    first: FirstTick = .now, slowing backoff: Backoff = .none
  ) -> PollSchedule {
    PollSchedule(every: .milliseconds(50), first: first, slowing: backoff)
  }

  /// How a poll ends.
  enum Verdict {
    case success(hint: Duration? = nil)
    case failure(RetryAdvice)
  }

  /// Takes a due poll, and ends it immediately.
  func poll(_ state: inout PollState, at time: Int, _ verdict: Verdict = .success()) -> Tick? {
    guard let tick = state.due(at: .at(time)) else { return nil }
    end(&state, at: time, verdict)
    return tick
  }

  func end(_ state: inout PollState, at time: Int, _ verdict: Verdict = .success()) {
    let step =
      switch verdict {
      case .success(let hint): state.step(ifFailed: false, advice: hint.map { .retry(after: $0) })
      case .failure(let advice): state.step(ifFailed: true, advice: advice)
      }
    state.finish(step, at: .at(time))
    _ = state.rest()
  }

  @Test("is idle until it starts, and polls once when it is asked to")
  func idle() {
    var state = PollState(Self.schedule())
    #expect(state.deadline == .distantFuture && state.phase == .idle)
    #expect(state.pollNow(at: .at(5)) == true)
    #expect(state.deadline == .at(5))
    #expect(poll(&state, at: 5)?.index == 0)
    #expect(state.deadline == .distantFuture)
    #expect(state.start(at: .at(30)) && !state.start(at: .at(30)))
    #expect(state.deadline == .at(30))
    #expect(poll(&state, at: 30)?.index == 1)
    #expect(state.deadline == .at(80))
  }

  @Test("a poll that is asked for leaves the grid; on a tick of the grid one serves both")
  func pollNow() {
    var state = PollState(Self.schedule())
    _ = state.start(at: .at(0))
    _ = poll(&state, at: 0)
    for time in [20, 21] { #expect(state.pollNow(at: .at(time)) == true) }
    #expect(poll(&state, at: 21)?.scheduled == .at(20))
    #expect(state.deadline == .at(50))
    #expect(state.pollNow(at: .at(45)) == true)
    // The timer is late: the grid's tick also serves the request.
    #expect(poll(&state, at: 52)?.scheduled == .at(50))
    #expect(state.deadline == .at(100))
  }

  @Test("during a poll any number of requests make one more after it")
  func pollNowDuringAPoll() {
    var state = PollState(Self.schedule())
    _ = state.start(at: .at(0))
    #expect(state.due(at: .at(0)) != nil)
    for time in [5, 6, 7] { #expect(state.pollNow(at: .at(time)) == true) }
    end(&state, at: 20)
    #expect(poll(&state, at: 20)?.index == 1)
    #expect(state.deadline == .at(50))
  }

  @Test("a request during a backoff keeps the failures, and does not break a hint")
  func backoffAndHint() {
    var state = PollState(Self.schedule(slowing: .exponential(from: .milliseconds(150))))
    _ = state.start(at: .at(0))
    _ = poll(&state, at: 0, .failure(.retry))
    #expect(state.deadline == .at(150))
    #expect(state.pollNow(at: .at(20)) == true)
    _ = poll(&state, at: 20, .failure(.retry))
    #expect(state.failures == 2)
    #expect(state.deadline == .at(320))
    #expect(state.pollNow(at: .at(30)) == true)
    _ = poll(&state, at: 30, .failure(.retry(after: .milliseconds(1000))))
    #expect(state.pollNow(at: .at(40)) == true)
    #expect(state.deadline == .at(1030))
    _ = poll(&state, at: 1030)
    #expect(state.failures == 0)
    #expect(state.deadline == .at(1080), "one poll served the hint and the request")
  }

  @Test("a refused poll is missed: the next one counts it, and the grid goes on")
  func refused() {
    var state = PollState(Self.schedule())
    _ = state.start(at: .at(0))
    for time in [0, 50] {
      let tick = state.due(at: .at(time))
      #expect(tick != nil)
      state.refuse(tick!, at: .at(time))
      #expect(state.rest() == false)
    }
    let tick = poll(&state, at: 100)
    #expect(tick?.index == 2 && tick?.missed == 2)
    #expect(state.end == nil)
  }

  @Test("suspended it polls nothing, resumes after a period, or now, and a hint still holds")
  func suspended() {
    var state = PollState(Self.schedule())
    _ = state.start(at: .at(0))
    _ = poll(&state, at: 0)
    #expect(state.suspend(at: .at(10)) && !state.suspend(at: .at(10)))
    #expect(state.deadline == .distantFuture)
    #expect(state.resume(pollingNow: false, at: .at(500)) == true)
    #expect(state.deadline == .at(550))
    _ = state.suspend(at: .at(510))
    #expect(state.resume(pollingNow: true, at: .at(520)) == true)
    #expect(state.deadline == .at(520))
    _ = poll(&state, at: 520, .success(hint: .milliseconds(300)))
    _ = state.suspend(at: .at(530))
    #expect(state.resume(pollingNow: true, at: .at(540)) == true)
    #expect(state.deadline == .at(820))
    _ = poll(&state, at: 820)
    #expect(state.deadline == .at(870))
  }

  @Test("another period counts from now, unless a backoff lasts longer")
  func rescheduled() {
    var state = PollState(Self.schedule(slowing: .constant(.milliseconds(200))))
    _ = state.start(at: .at(0))
    _ = poll(&state, at: 0)
    #expect(state.reschedule(every: 20_000_000, at: .at(10)) == true)
    #expect(state.deadline == .at(30))
    _ = poll(&state, at: 30, .failure(.retry))
    #expect(state.reschedule(every: 30_000_000, at: .at(40)) == true)
    #expect(state.deadline == .at(230))
  }

  @Test("an aligned grid follows the wall clock, and stays aligned after a backoff")
  func wallClock() {
    var state = PollState(
      Self.schedule(first: .aligned, slowing: .constant(.milliseconds(120))))
    state.follow(7_000_000, at: .at(0))
    _ = state.start(at: .at(0))
    #expect(state.deadline == .at(43))
    state.follow(17_000_000, at: .at(10))
    #expect(state.deadline == .at(33))
    _ = poll(&state, at: 33, .failure(.retry))
    // 120 ms later it is 170 on the wall, and the next full period is 200.
    #expect(state.deadline == .at(183))
    state.follow(117_000_000, at: .at(40))
    #expect(state.deadline == .at(183), "the clock was set by two periods: the backoff holds")
    state.follow(17_000_000 - 3_600_000_000, at: .at(40))
    #expect(state.deadline == .at(183), "set back by an hour, which are full periods")
  }

  @Test("a poll that is asked for waits for what of a server's delay counts, and not for a backoff")
  func holdOfHint() {
    for named in [60, 100, 300, 1_000] {
      var state = PollState(
        Self.schedule(slowing: .constant(.milliseconds(400)))
          .obeyingHints(atMost: .milliseconds(100)))
      _ = state.start(at: .at(0))
      _ = poll(&state, at: 0, .failure(.retry(after: .milliseconds(named))))
      _ = state.pollNow(at: .at(50))
      #expect(state.deadline == .at(min(named, 100)))
    }
  }

  @Test("ends with its reason, and then does nothing", arguments: 0..<3)
  func ends(way: Int) {
    var state = PollState(Self.schedule(slowing: .list([])))
    _ = state.start(at: .at(0))
    switch way {
    case 0: _ = poll(&state, at: 0, .failure(.permanent))
    case 1: _ = poll(&state, at: 0, .failure(.retry))
    default:
      // One that is asked for does not come either.
      _ = state.pollNow(at: .at(0))
      #expect(state.finish(.closed) && !state.finish(.cancelled))
    }
    #expect(state.end == [.permanent, .exhausted, .closed][way])
    #expect(state.deadline == .distantFuture && state.phase == .finished)
    #expect(!state.pollNow(at: .at(1)) && !state.suspend(at: .at(1)) && !state.start(at: .at(1)))
    #expect(!state.reschedule(every: 1, at: .at(1)) && state.due(at: .at(99)) == nil)
  }

  @Test("a suspension ends the backoff: another period is not put off by it")
  func suspendedBackoff() {
    var state = PollState(Self.schedule(slowing: .constant(.milliseconds(500))))
    _ = state.start(at: .at(0))
    _ = poll(&state, at: 0, .failure(.retry))
    #expect(state.deadline == .at(500))
    #expect(state.suspend(at: .at(10)) && state.start(at: .at(20)))
    #expect(state.reschedule(every: 30_000_000, at: .at(30)) == true)
    #expect(state.deadline == .at(60))
  }

  @Test("a success lets the backoff begin again")
  func successAfterFailures() {
    var state = PollState(Self.schedule(slowing: .exponential(from: .milliseconds(150))))
    _ = state.start(at: .at(0))
    _ = poll(&state, at: 0, .failure(.retry))
    #expect(poll(&state, at: 150) != nil)
    #expect(state.failures == 0)
    _ = poll(&state, at: 200, .failure(.retry))
    #expect(state.deadline == .at(350))
  }

  @Test("the ticks that came while a limit was asked are no polls of their own")
  func refusedLate() {
    var state = PollState(Self.schedule())
    _ = state.start(at: .at(0))
    let tick = state.due(at: .at(0))!
    state.refuse(tick, at: .at(120))
    #expect(state.rest() == false)
    #expect(state.deadline == .at(150))
    let next = state.due(at: .at(150))
    #expect(next?.missed == 3)
  }

  @Test("a grid of the wall clock that is put off goes on with the period that it has by then")
  func rescheduledGrid() {
    var state = PollState(Self.schedule(first: .aligned))
    _ = state.start(at: .at(5))
    #expect(state.reschedule(every: 20_000_000, at: .at(6)) == true)
    #expect(state.deadline == .at(20))
    #expect(poll(&state, at: 20, .success(hint: .milliseconds(25))) != nil)
    #expect(state.deadline == .at(60))
  }
}
