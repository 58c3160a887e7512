import Dispatch
import Observation
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Poller: a handler with an owner")
struct PollerOwnerTests {
  @MainActor @Observable
  fileprivate final class Model {
    private(set) var seen = [Int]()
    let poller: Poller<Int>

    init(_ clock: ManualClock) {
      poller = Poller(PollTests.every(5), clock: clock) { 7 }
      poller.handle(with: self, on: .main) { model, poll in
        await Task.yield()
        model.seen.append(poll.value ?? -1)
      }
    }
  }

  fileprivate actor Index {
    private(set) var seen = [Int]()
    let poller: Poller<Int>

    init(_ clock: ManualClock) {
      poller = Poller(PollTests.every(5), clock: clock) { 7 }
      poller.handle(in: self) { index, poll in
        await Task.yield()
        index.seen.append(poll.value ?? -1)
      }
    }
  }

  final class Plain: Sendable {
    let seen = EventRecorder<Int>()
  }

  let clock = ManualClock()
  let polled = EventRecorder<Int>()

  private func pass(_ seconds: Int) async {
    clock.advance(by: .seconds(seconds))
    await clock.settle()
  }

  @Test("a poll whose owner goes while it waits for its limit is not made")
  func goneInLine() {
    let bucket = TokenBucket(rate: .every(.seconds(10)), burst: 1, initial: 0, clock: clock)
    let poller = Poller(PollTests.every(1).limited(by: bucket), clock: clock) { [polled] in
      polled.record(1)
    }
    var owner: Plain? = Plain()
    if let owner { poller.handle(with: owner) { owner, _ in owner.seen.record(1) } }
    poller.start()
    clock.advance(by: .seconds(2))
    #expect(bucket.waitingCount == 1)
    owner = nil
    clock.advance(by: .seconds(20))
    #expect(polled.values == [] && poller.state == .finished && poller.end == .cancelled)
    #expect(bucket.statistics.tokens == 0)
  }

  @Test("a class of the main actor, whose poller is a constant")
  @MainActor
  func mainActor() async {
    let model = Model(clock)
    await pass(20)
    #expect(model.seen.isEmpty && model.poller.state == .idle)
    model.poller.start()
    for _ in 0..<3 {
      // The operation, and the handler.
      await pass(0)
      await pass(0)
      await pass(5)
    }
    #expect(model.seen.prefix(3) == [7, 7, 7])
    model.poller.cancel()
  }

  @Test("an actor, whose poller is a constant")
  func actors() async {
    let index = Index(clock)
    index.poller.start()
    for _ in 0..<3 {
      await pass(0)
      await pass(0)
      await pass(5)
    }
    #expect(await index.seen.prefix(3) == [7, 7, 7])
    index.poller.cancel()
  }

  @Test("a class of its own threads, on them or on a queue")
  func plain() async {
    for place in [Place.shared, .queue(DispatchQueue(label: "own"))] {
      let owner = Plain()
      let poller = Poller(PollTests.every(5), clock: clock) { 4 }
      poller.handle(with: owner, on: place) { owner, poll in owner.seen.record(poll.value ?? -1) }
      poller.start()
      for _ in 0..<3 { await pass(0) }
      await pass(5)
      for _ in 0..<3 { await pass(0) }
      #expect(owner.seen.values == [4, 4])
      poller.cancel()
    }
  }

  @Test("once the owner is gone it makes no poll, ends, and releases the closures")
  func gone() {
    let released = Counter()
    var owner: Plain? = Plain()
    weak let weakly = owner
    let burden = Burden("captured") { released.add() }
    let poller = Poller(PollTests.every(5), clock: clock) { [polled, clock, burden] in
      polled.record(clock.now.milliseconds)
      return withExtendedLifetime(burden) { 1 }
    }
    poller.handle(with: owner!) { owner, poll in owner.seen.record(poll.tick.index) }
    poller.start()
    clock.advance(by: .seconds(5))
    #expect(polled.values == [0, 5000] && owner!.seen.values == [0, 1])
    owner = nil
    #expect(weakly == nil && poller.isPolling)
    clock.advance(by: .seconds(60))
    #expect(polled.values == [0, 5000])
    #expect(poller.end == .cancelled && poller.state == .finished && !poller.pollNow())
    #expect(!poller.cancel() && clock.pendingCount == 0)
  }

  @Test("a poller whose actor is gone has an end, and makes no poll")
  func goneActor() async {
    var index: Index? = Index(clock)
    let poller = Poller(PollTests.every(5), clock: clock) { [polled] in polled.record(0) }
    poller.handle(in: index!) { _, _ in }
    index = nil
    poller.start()
    await pass(60)
    #expect(polled.values.isEmpty && poller.end == .cancelled && poller.state == .finished)
  }

  @Test("an owner that goes with its poller cancels a running poll")
  @MainActor
  func goneTogether() async {
    let begun = CountDown(1)
    let outcome = OneShot<Bool>()
    let poll: @Sendable () async throws -> Void = {
      let end = OneShot<Bool>()
      begun.arrive()
      outcome.resolve(await end.outcome(ifCancelled: true))
    }
    var owner: Holder? = Holder(clock, poll)
    weak let weakly = owner
    owner?.poller.start()
    clock.runReady()
    await begun.wait()
    owner = nil
    #expect(weakly == nil)
    clock.runReady()
    #expect(await outcome.outcome())
    #expect(clock.pendingCount == 0)
  }

  @MainActor
  private final class Holder {
    let poller: Poller<Void>

    init(_ clock: ManualClock, _ poll: @escaping @Sendable () async throws -> Void) {
      poller = Poller(PollTests.every(5), clock: clock, poll)
      poller.handle(with: self, on: .main) { _, _ in Issue.record("a result without an owner") }
    }
  }
}
