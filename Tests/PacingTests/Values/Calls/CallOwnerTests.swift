import Observation
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Calls: an operation that is given later, with its owner")
struct CallOwnerTests {
  @MainActor @Observable
  fileprivate final class Model {
    private(set) var asked = [String]()
    let lookup: AsyncDebouncer<String, Int>

    init(_ clock: ManualClock) {
      lookup = AsyncDebouncer(for: .milliseconds(10), clock: clock)
      lookup.deliver(to: self) { model, text in
        model.asked.append(text)
        await Task.yield()
        return model.asked.count
      }
    }
  }

  fileprivate actor Service {
    private var count = 0
    let status: AsyncThrottler<Void, Int>

    init(_ clock: ManualClock) {
      status = AsyncThrottler(every: .milliseconds(10), edges: .leading, clock: clock)
      status.deliver(to: self) { service, _ in
        service.count += 1
        return service.count
      }
    }
  }

  struct Failure: Error, Equatable {}

  let clock = ManualClock()

  private func pass(_ milliseconds: Int = 10) async {
    clock.advance(by: .milliseconds(milliseconds))
    await clock.settle()
    // The callers go on.
    clock.runReady()
  }

  @Test("a class of the main actor, whose tool is a constant")
  @MainActor
  func mainActor() async throws {
    let model = Model(clock)
    let (first, second) = (
      clock.run { try await model.lookup.call("a") },
      clock.run { try await model.lookup.call("b") }
    )
    await pass()
    #expect(try await first.value == .superseded)
    #expect(try await second.value == .executed(1))
    #expect(model.asked == ["b"])
  }

  @Test("an actor, whose tool is a constant")
  func actors() async throws {
    let service = Service(clock)
    #expect(try await service.status.call() == .executed(1))
    #expect(try await service.status.call() == .superseded)
    await pass()
    #expect(try await service.status.call() == .executed(2))
  }

  @Test("a call pending when the operation comes is run; one due before is cancelled")
  func before() async throws {
    let service = Service(clock)
    let tool = AsyncDebouncer<Int, Int>(for: .milliseconds(10), clock: clock)
    let early = clock.run { try await tool.call(1) }
    await pass()
    #expect(try await early.value == .cancelled)
    #expect(tool.statistics.dropped(.noConsumer) == 1)
    let late = clock.run { try await tool.call(2) }
    tool.deliver(to: service) { _, input in input * 10 }
    await pass()
    #expect(try await late.value == .executed(20))
  }

  @Test("an error goes to the caller, and everyone shares it under answering: .everyone")
  @MainActor
  func errors() async throws {
    let model = Model(clock)
    let tool = AsyncDebouncer<Int, Int>(
      for: .milliseconds(10), answering: .everyone, clock: clock)
    tool.deliver(to: model) { _, _ in throw Failure() }
    let callers = (0..<3).map { input in clock.run { try await tool.call(input) } }
    await pass()
    for caller in callers {
      await #expect(throws: Failure.self) { try await caller.value }
    }
  }

  @Test("the overlap is the one given with the operation")
  @MainActor
  func overlap() async throws {
    let model = Model(clock)
    let tool = AsyncThrottler<Int, Int>(every: .zero, clock: clock)
    let begun = CountDown(1)
    tool.deliver(to: model, overlap: .cancelPrevious) { _, input in
      guard input == 1 else { return input }
      begun.arrive()
      _ = await OneShot<Bool>().outcome(ifCancelled: true)
      throw CancellationError()
    }
    let first = clock.run { try await tool.call(1) }
    clock.advance(by: .zero)
    await begun.wait()
    let second = clock.run { try await tool.call(2) }
    await pass()
    #expect(try await first.value == .superseded)
    #expect(try await second.value == .executed(2))
  }

  @Test("nothing keeps the owner; without it callers get cancelled, and the closure is released")
  @MainActor
  func gone() async throws {
    var model: Model? = Model(clock)
    weak let weakly = model
    let released = Counter()
    let tool = AsyncDebouncer<Int, Int>(for: .milliseconds(10), clock: clock)
    tool.deliver(to: model!) { [burden = Burden("captured") { released.add() }] _, input in
      withExtendedLifetime(burden) { input }
    }
    let lookup = model!.lookup
    model = nil
    #expect(weakly == nil)
    let callers = (
      clock.run { try await tool.call(1) }, clock.run { try await lookup.call("a") }
    )
    await pass()
    #expect(try await callers.0.value == .cancelled)
    #expect(try await callers.1.value == .cancelled)
    clock.runReady()
    #expect(tool.statistics.dropped(.noConsumer) == 1 && released.value == 1)
  }
}
