import Dispatch
import Observation
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Poller: an operation that is given later, with its owner")
struct PollerOwnerTests {
  @MainActor @Observable
  fileprivate final class Model {
    private(set) var seen = [Int]()
    private var next = 1
    let poller: Poller

    init(_ clock: ManualClock, own: Bool) {
      poller = Poller(PollTests.every(5), clock: clock)
      if own {
        poller.deliver(to: self) { model in
          defer { model.next += 1 }
          return model.next
        } handler: { model, poll in
          model.seen.append(poll.value ?? -1)
        }
      } else {
        poller.deliver(to: self) {
          7
        } handler: { model, poll in
          await Task.yield()
          model.seen.append(poll.value ?? -1)
        }
      }
    }
  }

  fileprivate actor Index {
    private(set) var seen = [Int]()
    private let word = 3
    let poller: Poller

    init(_ clock: ManualClock, own: Bool) {
      poller = Poller(PollTests.every(5), clock: clock)
      if own {
        poller.deliver(to: self) { index in
          index.word
        } handler: { index, poll in
          index.seen.append(poll.value ?? -1)
        }
      } else {
        poller.deliver(to: self) {
          7
        } handler: { index, poll in
          await Task.yield()
          index.seen.append(poll.value ?? -1)
        }
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

  /// A poller for `owner`, on the library's threads, whose closures hold a burden.
  private func poller(for owner: Plain, released: Counter = Counter()) -> Poller {
    let poller = Poller(PollTests.every(5), clock: clock)
    let burden = Burden("captured") { released.add() }
    poller.deliver(to: owner, on: .shared) { [polled, clock, burden] in
      polled.record(clock.now.milliseconds)
      return withExtendedLifetime(burden) { 1 }
    } handler: { [burden] owner, poll in
      withExtendedLifetime(burden) { owner.seen.record(poll.tick.index) }
    }
    return poller
  }

  @Test("a class of the main actor, whose poller is a constant", arguments: [false, true])
  @MainActor
  func mainActor(own: Bool) async {
    let model = Model(clock, own: own)
    await pass(20)
    #expect(model.seen.isEmpty && model.poller.state == .idle)
    model.poller.start()
    for _ in 0..<3 {
      // The operation, and the handler.
      await pass(0)
      await pass(0)
      await pass(5)
    }
    #expect(model.seen.prefix(3) == (own ? [1, 2, 3] : [7, 7, 7]))
    model.poller.cancel()
  }

  @Test("an actor, whose poller is a constant", arguments: [false, true])
  func actors(own: Bool) async {
    let index = Index(clock, own: own)
    index.poller.start()
    for _ in 0..<3 {
      await pass(0)
      await pass(0)
      await pass(5)
    }
    #expect(await index.seen.prefix(3) == (own ? [3, 3, 3] : [7, 7, 7]))
    index.poller.cancel()
  }

  @Test("a class of its own threads, on them or on a queue")
  func plain() async {
    for place in [Delivery.shared, .queue(DispatchQueue(label: "own"))] {
      let owner = Plain()
      let poller = Poller(PollTests.every(5), on: place, clock: clock, handing: 4, to: owner)
      poller.start()
      await pass(0)
      await pass(5)
      #expect(owner.seen.values == [4, 4])
      poller.cancel()
    }
  }

  @Test("started before, it polls once the operation is there: what fell due is overdue, not lost")
  func startedBefore() {
    let poller = Poller(PollTests.every(5), clock: clock)
    #expect(poller.start() && poller.isPolling)
    clock.advance(by: .seconds(12))
    #expect(clock.pendingCount == 0 && poller.statistics == PollStatistics())
    let owner = Plain()
    let missed = EventRecorder<Int>()
    poller.deliver(to: owner, on: .shared) { [polled, clock] in
      polled.record(clock.now.milliseconds)
    } handler: { owner, poll in
      owner.seen.record(poll.tick.index)
      missed.record(poll.tick.missed)
    }
    clock.advance(by: .seconds(5))
    #expect(polled.values == [12_000, 15_000])
    #expect(owner.seen.values == [0, 3] && missed.values == [0, 2])
    poller.cancel()
    clock.runReady()
  }

  @Test("without an operation it is asked for a poll, suspended and cancelled like any other")
  func bare() async {
    let (asked, suspended, cancelled) = (
      Poller(PollTests.every(5), clock: clock), Poller(PollTests.every(5), clock: clock),
      Poller(PollTests.every(5), clock: clock)
    )
    #expect(asked.pollNow() && suspended.start() && suspended.suspend())
    #expect(cancelled.start() && cancelled.cancel() && !cancelled.cancel())
    #expect(cancelled.end == .cancelled && cancelled.state == .finished)
    let released = Counter()
    let owner = Plain()
    for (number, poller) in [asked, suspended, cancelled].enumerated() {
      let burden = Burden("captured") { released.add() }
      poller.deliver(to: owner, on: .shared) {
        withExtendedLifetime(burden) { number }
      } handler: { owner, poll in
        owner.seen.record(poll.value ?? -1)
      }
    }
    #expect(released.value == 1)
    clock.advance(by: .seconds(60))
    #expect(owner.seen.values == [0])
    suspended.resume(pollingNow: true)
    clock.advance(by: .zero)
    #expect(owner.seen.values == [0, 1])
    for poller in [asked, suspended, cancelled] { await poller.cancelAndWait() }
    #expect(clock.pendingCount == 0 && released.value == 3)
  }

  @Test("once the owner is gone it makes no poll, ends, and releases the closures")
  func gone() {
    let released = Counter()
    var owner: Plain? = Plain()
    weak let weakly = owner
    let poller = poller(for: owner!, released: released)
    poller.start()
    clock.advance(by: .seconds(5))
    #expect(polled.values == [0, 5000] && owner!.seen.values == [0, 1])
    owner = nil
    #expect(weakly == nil && poller.isPolling)
    clock.advance(by: .seconds(60))
    #expect(polled.values == [0, 5000] && released.value == 1)
    #expect(poller.end == .cancelled && poller.state == .finished && !poller.pollNow())
    #expect(!poller.cancel() && clock.pendingCount == 0)
  }

  @Test("a poller whose actor is gone has an end, and makes no poll")
  func goneActor() async {
    var index: Index? = Index(clock, own: true)
    let poller = Poller(PollTests.every(5), on: index!, clock: clock) { [polled] in
      polled.record(0)
    } handler: { _, _ in
    }
    index = nil
    poller.start()
    await pass(60)
    #expect(polled.values.isEmpty && poller.end == .cancelled && poller.state == .finished)
  }

  @Test("an owner that goes with its poller cancels a running poll, unless the poll is its own")
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
    let poller: Poller

    init(_ clock: ManualClock, _ poll: @escaping @Sendable () async throws -> Void) {
      poller = Poller(PollTests.every(5), clock: clock)
      poller.deliver(to: self, poll) { _, _ in Issue.record("a result without an owner") }
    }
  }
}

extension Poller {
  fileprivate convenience init(
    _ schedule: PollSchedule, on place: Delivery, clock: ManualClock, handing value: Int,
    to owner: PollerOwnerTests.Plain
  ) {
    self.init(schedule, clock: clock)
    deliver(to: owner, on: place) {
      value
    } handler: { owner, poll in
      owner.seen.record(poll.value ?? -1)
    }
  }
}
