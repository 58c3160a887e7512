import Dispatch
import Observation
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("A handler that is given later, with its owner")
struct OwnerLaterTests {
  /// A modern view model, with its tools in constants.
  @MainActor @Observable
  fileprivate final class Model {
    private(set) var results = [String]()
    private(set) var slow = [Int]()
    let typing: Debouncer<String>
    let saving: Batcher<Int>

    init(_ clock: ManualClock) {
      typing = Debouncer(for: .milliseconds(10), clock: clock)
      saving = Batcher(maximumCount: 2, maximumDelay: .seconds(1), clock: clock)
      typing.handle(with: self, on: .main) { model, text in model.results.append(text) }
      saving.handle(with: self, on: .main) { model, numbers in
        await Task.yield()
        model.slow += numbers
      }
    }
  }

  fileprivate actor Index {
    private(set) var words = [String]()
    private(set) var rows = [Int]()
    let adding: Throttler<String>
    let writing: Debouncer<Int>

    init(_ clock: ManualClock) {
      adding = Throttler(every: .milliseconds(10), clock: clock)
      writing = Debouncer(for: .milliseconds(10), clock: clock)
      adding.handle(in: self) { index, word in index.words.append(word) }
      writing.handle(in: self) { index, row in
        await Task.yield()
        index.rows.append(row)
      }
    }
  }

  fileprivate final class Plain: Sendable {
    let values: EventRecorder<Int>
    let sampling: Debouncer<Int>

    init(_ clock: ManualClock, _ values: EventRecorder<Int>, on place: Place = .shared) {
      self.values = values
      sampling = Debouncer(for: .milliseconds(10), clock: clock)
      sampling.handle(with: self, on: place) { plain, value in plain.values.record(value) }
    }
  }

  let clock = ManualClock()
  let values = EventRecorder<Int>()
  let drops = EventRecorder<String>()

  private func pass(_ milliseconds: Int = 10) async {
    clock.advance(by: .milliseconds(milliseconds))
    await clock.settle()
  }

  @Test("a class of the main actor, whose tools are constants")
  @MainActor
  func mainActor() async {
    let model = Model(clock)
    model.typing.send("a")
    model.typing.send("b")
    model.saving.send(1)
    model.saving.send(2)
    await pass()
    #expect(model.results == ["b"] && model.slow == [1, 2])
  }

  @Test("an actor, whose tools are constants")
  func actors() async {
    let index = Index(clock)
    index.adding.send("a")
    index.writing.send(1)
    index.writing.send(2)
    await pass()
    #expect(await index.words == ["a"])
    #expect(await index.rows == [2])
  }

  @Test("a class of its own threads, on them or on a queue")
  func plain() async {
    let queue = DispatchQueue(label: "own")
    let owners = [Plain(clock, values), Plain(clock, values, on: .queue(queue))]
    for (index, owner) in owners.enumerated() { owner.sampling.send(index) }
    await pass()
    #expect(Set(values.values) == [0, 1])
    withExtendedLifetime(owners) {}
  }

  @Test("a value pending when the owner comes is delivered; one decided before had no consumer")
  func before() async {
    let tool = Debouncer<Int>(for: .milliseconds(10), clock: clock)
    tool.onDrop { [drops] value, reason in drops.record("\(value) \(reason)") }
    tool.send(1)
    await pass()
    tool.send(2)
    tool.handle(with: values, on: .shared) { $0.record($1) }
    await pass()
    #expect(values.values == [2] && drops.values == ["1 noConsumer"])
    #expect(tool.statistics.delivered == 1)
  }

  @Test("streams have what the owner has")
  func streams() async {
    let tool = Debouncer<Int>(for: .milliseconds(10), clock: clock)
    var ticks = tool.ticks().makeAsyncIterator()
    tool.handle(with: values, on: .shared) { $0.record($1) }
    tool.send(1)
    await pass()
    #expect(await ticks.next() == 1 && values.values == [1])
  }

  @Test("nothing keeps the owner; without it values are dropped, and the closure is released")
  func gone() async {
    let released = Counter()
    var owner: Plain? = Plain(clock, values)
    weak let weakly = owner
    let tool = Debouncer<Int>(for: .milliseconds(10), clock: clock)
    tool.onDrop { [drops] value, reason in drops.record("\(value) \(reason)") }
    let burden = Burden("closure") { released.add() }
    tool.handle(with: owner!, on: .shared) { [burden] owner, value in
      withExtendedLifetime(burden) { owner.values.record(value) }
    }
    tool.send(1)
    await pass()
    owner = nil
    #expect(weakly == nil && values.values == [1])
    tool.send(2)
    await pass()
    clock.runReady()
    #expect(values.values == [1] && drops.values == ["2 noConsumer"])
  }

  @Test("on the main actor, async or not, an owner that is gone has nothing delivered")
  @MainActor
  func mainActorGone() async {
    var model: Model? = Model(clock)
    let (typing, saving) = (model!.typing, model!.saving)
    weak let weakly = model
    model = nil
    #expect(weakly == nil)
    typing.send("a")
    saving.send(1)
    saving.send(2)
    await pass()
    clock.runReady()
    #expect(typing.statistics.dropped(.noConsumer) == 1)
    #expect(saving.statistics.dropped(.noConsumer) == 2)
  }

  @Test("a timer ticks for its owner one by one, and ends with it")
  func timer() async {
    let ticks = EventRecorder<Int>()
    let timer = DispatchTimer(.every(.milliseconds(10), missed: .burst), clock: clock)
    var owner: Plain? = Plain(clock, values)
    timer.handle(with: owner!, on: .shared) { _, tick in ticks.record(tick.index) }
    timer.start()
    clock.lapse(by: .milliseconds(30))
    await pass(0)
    #expect(ticks.values == [0, 1, 2])
    owner = nil
    await pass()
    #expect(ticks.values == [0, 1, 2] && !timer.isValid && clock.pendingCount == 0)
  }

  @Test("a timer that works for itself is not kept alive by that")
  func itself() async {
    weak var dropped: DispatchTimer?
    do {
      let timer = DispatchTimer(.every(.milliseconds(10)), clock: clock)
      dropped = timer
      timer.handle(with: timer, on: .shared) { [values] timer, tick in
        values.record(tick.index)
        if tick.index == 1 { timer.cancel() }
      }
      timer.start()
      await pass(50)
    }
    #expect(values.values == [0, 1] && dropped == nil)
  }

  @Test("keyed tools deliver key and value, one of each key at a time")
  @MainActor
  func keyed() async {
    let tool = KeyedDebouncer<String, Int>(for: .milliseconds(10), clock: clock)
    let seen = EventRecorder<String>()
    tool.handle(with: values, on: .main) { values, change in
      await Task.yield()
      values.record(change.value)
      seen.record(change.key)
    }
    tool.send(1, for: "a")
    tool.send(2, for: "b")
    tool.send(3, for: "a")
    await pass()
    #expect(Set(values.values) == [2, 3] && Set(seen.values) == ["a", "b"])
    #expect(tool.keyCount == 0)
  }

  @Test("a retry timer makes its attempts for an owner")
  func attempts() async {
    let timer = RetryTimer(backoff: .constant(.milliseconds(10)), clock: clock)
    timer.handle(with: values, on: .shared) { $0.record($1.number) }
    timer.scheduleNext()
    await pass()
    #expect(values.values == [1])
  }

  @Test("an async handler overlaps as it is told to")
  @MainActor
  func overlaps() async {
    let tool = Throttler<Int>(every: .zero, clock: clock)
    tool.handle(with: values, on: .main, overlap: .dropNew) { [clock] values, value in
      values.record(value)
      try? await clock.sleep(for: .milliseconds(50))
    }
    tool.send(1)
    await pass(1)
    tool.send(2)
    await pass(1)
    #expect(values.values == [1] && tool.statistics.dropped(.busy) == 1)
    await pass(100)
  }
}
