import Pacing
import PacingTesting
import Testing

@Suite("Testing.md: a service")
struct SuggestionsTests {
  // snippet: testing-pause
  @Test("looks up what was typed, once it is quiet")
  func quiet() {
    let clock = ManualClock(step: .milliseconds(100))
    let lookups = EventRecorder<String>(clock: clock)
    let suggestions = Suggestions(clock: clock) { text in
      lookups.record(text)
      return text
    }
    clock.run { try await suggestions.run { _ in } }

    clock.play("a-b---------c-d-----") { key in suggestions.type(String(key)) }
    #expect(lookups.marbles { $0.first! } == "-----b-----------d--")
  }
  // end

  // snippet: testing-retry
  @Test("tries again after 200 and 400 ms, and shows what it got in the end")
  func retries() {
    struct Unavailable: Error {}
    let clock = ManualClock(step: .milliseconds(100))
    let (lookups, shown) = (
      EventRecorder<String>(clock: clock), EventRecorder<String>(clock: clock)
    )
    let suggestions = Suggestions(clock: clock) { text in
      lookups.record(text)
      try await clock.sleep(for: .milliseconds(100))  // a server that takes its time
      guard lookups.values.count > 2 else { throw Unavailable() }
      return text
    }
    clock.run { try await suggestions.run { shown.record($0) } }

    clock.play("a-------------") { key in suggestions.type(String(key)) }
    #expect(lookups.marbles { $0.first! } == "---a--a----a--")
    #expect(shown.marbles { $0.first! } == "------------a-")
  }
  // end
}

@Suite("Testing.md: pieces")
struct TestingPieces {
  @Test("a handler")
  func handler() {
    // snippet: testing-handler
    let clock = ManualClock()
    let saved = EventRecorder<String>(clock: clock)
    let save = Throttler<String>(every: .seconds(1), clock: clock, handler: saved.record)
    save.send("draft 1")
    save.send("draft 2")
    clock.advance(by: .zero)  // runs what has been decided: the first one
    #expect(saved.takeAll() == ["draft 1"])
    clock.advance(by: .seconds(1))
    #expect(saved.takeAll() == ["draft 2"])
    // end
  }

  @Test("an answer for each mark")
  func limiter() {
    // snippet: testing-answers
    let clock = ManualClock(step: .seconds(1))
    let bucket = TokenBucket(rate: .every(.seconds(4)), burst: 2, clock: clock)
    let answers = EventRecorder<Character>(clock: clock)
    clock.play("?-??---(??)---") { _ in answers.record(bucket.tryAcquire() ? "y" : "n") }
    #expect(answers.marbles == "y-yn---(yn)---")
    // end
  }

  @Test("ties", arguments: [Ties.timersFirst, .callsFirst])
  func ties(ties: Ties) {
    // snippet: testing-ties
    let clock = ManualClock(step: .milliseconds(100))
    let searches = EventRecorder<Character>(clock: clock)
    let search = Debouncer(
      for: .milliseconds(300), clock: clock, handler: searches.record)
    clock.play("a--b-----", ties: ties) { search.send($0) }
    #expect(searches.marbles == "---a--b--")
    // end
  }

  @Test("late timers")
  func late() {
    // snippet: testing-late
    let clock = ManualClock(step: .seconds(1))
    let ticks = EventRecorder<Tick>(clock: clock)
    let timer = DispatchTimer.scheduled(
      .every(.seconds(2), missed: .skip), clock: clock, handler: ticks.record)
    clock.play("---~~~~------") { _ in }
    #expect(ticks.marbles { Character("\($0.index)") } == "--0----13-4-5")
    #expect(ticks.values.map(\.missed) == [0, 0, 1, 0, 0])
    timer.cancel()
    // end
  }

  @MainActor
  @Test("the main actor")
  func mainActor() async {
    // snippet: testing-main
    let clock = ManualClock(step: .milliseconds(100))
    let shown = EventRecorder<Character>(clock: clock)
    let progress = Throttler<Character>(every: .milliseconds(200), clock: clock).handle(on: .main) {
      shown.record($0)
    }
    await clock.playAndSettle("abcd----") { progress.send($0) }
    #expect(shown.marbles == "a-b-d---")
    // end
  }

  @Test("an operator")
  func operators() {
    // snippet: testing-operator
    let clock = ManualClock(step: .milliseconds(100))
    let (keys, input) = AsyncStream.makeStream(of: Character.self)
    let queries = EventRecorder<Character>(clock: clock)
    clock.run {
      await queries.record(from: keys.debounced(for: .milliseconds(300), clock: clock))
    }
    clock.play("a-b-------c-|", into: input)
    #expect(queries.marbles == "-----b------(c|)")
    // end
  }

  @Test("code with threads of its own")
  func threads() async {
    // snippet: testing-threads
    let clock = ManualClock()
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, clock: clock)
    let served = EventRecorder<Int>(clock: clock)
    for client in 1...3 {
      Task {
        try await bucket.acquire()
        served.record(client)
      }
    }
    await clock.sleepers(atLeast: 2)  // one has been served, two wait
    clock.advance(by: .seconds(1))
    #expect(await served.values(atLeast: 2).count == 2)
    clock.advance(by: .seconds(1))
    #expect(await served.values(atLeast: 3).sorted() == [1, 2, 3])
    // end
  }
}
