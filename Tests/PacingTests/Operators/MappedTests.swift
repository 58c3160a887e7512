@testable import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("mapped and concurrentMap")
struct MappedTests {
  let clock = ManualClock()
  let began = EventRecorder<String>()
  let ended = EventRecorder<String>()

  /// What an element is mapped by: it sleeps for so many steps, and then throws or returns.
  struct Work: Sendable {
    let name: String
    var takes = 0
    var fails = false
  }

  private func map(_ work: Work) async throws -> String {
    began.record("\(work.name)@\(clock.now.milliseconds)")
    do {
      if work.takes > 0 { try await clock.sleep(for: .milliseconds(work.takes)) }
    } catch {
      ended.record("\(work.name) cancelled")
      throw error
    }
    if work.fails { throw Failed(work.name) }
    return work.name
  }

  /// Reads a sequence to its end, with the time of each result.
  private func results(
    of work: [Work], atMost width: Int, inOrder: Bool, pause: Int = 0
  ) async -> [String] {
    let source = AsyncStream { continuation in
      for one in work { continuation.yield(one) }
      continuation.finish()
    }
    let heard = EventRecorder<String>()
    let reader = clock.run { [clock] in
      do {
        let mapped = source.mapped(atMost: width, inOrder: inOrder, clock: clock) {
          try await map($0)
        }
        for try await name in mapped {
          heard.record("\(name)@\(clock.now.milliseconds)")
          if pause > 0 { try await clock.sleep(for: .milliseconds(pause)) }
        }
        heard.record("|@\(clock.now.milliseconds)")
      } catch {
        heard.record("\(error)@\(clock.now.milliseconds)")
      }
    }
    clock.advance(by: .seconds(1))
    await reader.value
    return heard.values
  }

  @Test("results come in the order of the elements, or as the operations end")
  func orders() async {
    let work = [Work(name: "a", takes: 6), Work(name: "b", takes: 2), Work(name: "c", takes: 2)]
    #expect(
      await results(of: work, atMost: 2, inOrder: true) == ["a@6", "b@6", "c@8", "|@8"])
    #expect(began.takeAll() == ["a@0", "b@0", "c@6"])
    #expect(
      await results(of: work, atMost: 2, inOrder: false)
        == ["b@1002", "c@1004", "a@1006", "|@1006"])
    #expect(began.takeAll() == ["a@1000", "b@1000", "c@1002"])
    #expect(await results(of: [], atMost: 2, inOrder: true) == ["|@2000"])
  }

  @Test("a slow consumer holds upstream back: what was taken is at most the width")
  func heldBack() async {
    let work = (0..<5).map { Work(name: "\($0)") }
    let heard = await results(of: work, atMost: 2, inOrder: true, pause: 10)
    #expect(heard == ["0@0", "1@10", "2@20", "3@30", "4@40", "|@50"])
    #expect(began.values == ["0@0", "1@0", "2@0", "3@10", "4@20"])
  }

  @Test("the first error cancels the others, drops what waits, and comes when they have ended")
  func failure() async {
    let work = [
      Work(name: "a", takes: 50), Work(name: "b", takes: 3), Work(name: "c", takes: 5, fails: true),
    ]
    #expect(await results(of: work, atMost: 3, inOrder: true) == ["c@5"])
    #expect(ended.values == ["a cancelled"])
  }

  @Test("an operation that ignores its cancellation is waited for")
  func stubborn() async {
    let source = AsyncStream { continuation in
      continuation.yield(1)
      continuation.yield(2)
    }
    let gate = OneShot<Void>()
    let reader = clock.run { [clock, ended] in
      let mapped = source.mapped(atMost: 2, clock: clock) { number in
        if number == 2 { throw Failed("two") }
        await gate.outcome()
        ended.record("one")
        return number
      }
      do {
        for try await _ in mapped {}
      } catch {
        ended.record("\(error)")
      }
    }
    clock.advance(by: .seconds(1))
    #expect(ended.values.isEmpty)
    gate.resolve(())
    clock.runReady()
    await reader.value
    #expect(ended.values == ["one", "two"])
  }

  @Test("an error of upstream, and the end, come after what runs")
  func upstreamFails() async throws {
    let source = Source<String, Failed>()
    var iterator = source.mapped(atMost: 2, clock: clock) { [clock, ended] name in
      do {
        try await clock.sleep(for: .milliseconds(10))
      } catch {
        ended.record("\(name) cancelled")
        throw error
      }
      return name
    }.makeAsyncIterator()
    source.send("a")
    clock.runReady()
    source.finish(throwing: Failed("upstream"))
    clock.runReady()
    await #expect(throws: Failed("upstream")) { try await iterator.next() }
    #expect(ended.values == ["a cancelled"])
    #expect(try await iterator.next() == nil)
  }

  @Test("a consumer that leaves cancels the operations, and gives the permits back")
  func leaving() async throws {
    let limit = ConcurrencyLimit(2, clock: clock)
    let source = Source<String, Failed>()
    do {
      var iterator = source.mapped(atMost: limit, clock: clock) { [clock, ended] name in
        if name == "a" { return name }
        do {
          try await clock.sleep(for: .seconds(10))
        } catch {
          ended.record("\(name) cancelled")
          throw error
        }
        return name
      }.makeAsyncIterator()
      for name in ["a", "b", "c"] {
        source.send(name)
        clock.runReady()
      }
      #expect(limit.heldCount == 2)
      #expect(try await iterator.next() == "a")
      clock.runReady()
      #expect(limit.heldCount == 2, "b and c")
    }
    clock.runReady()
    #expect(ended.values.sorted() == ["b cancelled", "c cancelled"])
    #expect(limit.heldCount == 0 && limit.waitingCount == 0)
  }

  @Test("a consumer that leaves frees what waits for an operation that ignores its cancellation")
  func leavingStubborn() async throws {
    let limit = ConcurrencyLimit(2, clock: clock)
    let gate = OneShot<Void>()
    let source = AsyncStream { continuation in
      continuation.yield(0)
      continuation.yield(1)
      continuation.finish()
    }
    do {
      let iterator = source.mapped(atMost: limit, clock: clock) { number in
        if number == 0 { await gate.outcome() }
        return number
      }.makeAsyncIterator()
      clock.runReady()
      #expect(limit.heldCount == 2, "one runs, the other waits for it")
      withExtendedLifetime(iterator) {}
    }
    clock.runReady()
    #expect(limit.heldCount == 1)
    gate.resolve(())
    clock.runReady()
    #expect(limit.heldCount == 0)
  }

  @Test("two sequences share the width of a limit, and end when it is closed")
  func shared() async {
    let limit = ConcurrencyLimit(2, clock: clock)
    let busy = Gauge()
    let heard = EventRecorder<String>()
    let readers = ["x", "y"].map { name in
      clock.run { [clock] in
        let source = AsyncStream(unfolding: { 1 })
        do {
          let mapped = source.mapped(atMost: limit, inOrder: false, clock: clock) { number in
            busy.enter()
            defer { busy.leave() }
            try await clock.sleep(for: .milliseconds(10))
            return number
          }
          for try await _ in mapped { heard.record(name) }
        } catch {
          heard.record("\(name) \((error as? AcquireError)?.reason.description ?? "\(error)")")
        }
      }
    }
    clock.advance(by: .milliseconds(100))
    #expect(busy.most == 2)
    let counts = ["x", "y"].map { name in heard.values.count { $0 == name } }
    #expect(counts.reduce(0, +) == 20 && counts.min()! >= 9, "\(counts)")
    limit.close()
    clock.advance(by: .milliseconds(100))
    for reader in readers { await reader.value }
    #expect(heard.values.suffix(2).sorted() == ["x closed", "y closed"])
    #expect(limit.heldCount == 0)
  }

  @Test("a deadline in force binds the operations, and neither the reader nor what outlives it")
  func deadlineInForce() async throws {
    let source = AsyncStream { continuation in
      for number in 0..<4 { continuation.yield(number) }
      continuation.finish()
    }
    let limit = ConcurrencyLimit(
      4, limitedBy: [.tokenBucket(rate: .perSecond(1), burst: 1)], clock: clock)
    let heard = EventRecorder<Int>()
    let reader = clock.run { [clock] in
      var iterator = try await withTimeout(.milliseconds(500), clock: clock) {
        var iterator = source.mapped(atMost: limit, clock: clock) { $0 }.makeAsyncIterator()
        if let first = try await iterator.next() { heard.record(first) }
        return iterator
      }
      while let number = try await iterator.next() { heard.record(number) }
    }
    clock.advance(by: .seconds(10))
    try await reader.value
    #expect(heard.values == [0, 1, 2, 3])
  }

  @Test("concurrentMap begins no operation after its task was cancelled")
  func cancelledMap() async {
    let count = Counter()
    let task = Task {
      try await (0..<1000).concurrentMap(atMost: 2) { _ in
        count.add()
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(count.value <= 2)
  }

  @Test("the array of concurrentMap is in order; no task outlives it or its error")
  func arrays() async throws {
    #expect(try await [Int]().concurrentMap(atMost: 3) { $0 } == [])
    let busy = Gauge()
    let doubled = try await (0..<100).concurrentMap(atMost: 3) { number in
      busy.enter()
      defer { busy.leave() }
      await Task.yield()
      return 2 * number
    }
    #expect(doubled == (0..<100).map { 2 * $0 })
    #expect((1...3).contains(busy.most))
    await #expect(throws: Failed("7")) {
      try await (0..<100).concurrentMap(atMost: 3) { number in
        busy.enter()
        defer { busy.leave() }
        if number == 7 { throw Failed("7") }
        try await Task.sleep(for: .seconds(number > 7 ? 3600 : 0))
      }
    }
    #expect(busy.count == 0)
  }

  @Test("results in order, whatever order they land in", arguments: Soak.seeds(200))
  func state(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 0...12, using: &random)
    let failsAt = Bool.random(using: &random) ? Int.random(in: 0...count, using: &random) : nil
    var state = MapState<Int>(inOrder: true)
    var out = [Int]()
    var landed = Set<Int>()
    for (step, number) in (0..<count).shuffled(using: &random).enumerated() {
      if step == failsAt {
        // What has landed is handed out or dropped, once.
        #expect(Set(state.fail()).union(out) == landed)
        #expect(state.land(number, of: number).isEmpty && state.fail().isEmpty)
        return
      }
      landed.insert(number)
      out += state.land(number, of: number)
      // The longest run from the first on has been handed out, in order.
      #expect(out == Array(0..<((0...count).first { !landed.contains($0) } ?? 0)), "seed \(seed)")
    }
  }
}

private struct Failed: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// How many operations run at a time.
private final class Gauge: Sendable {
  private let counts = Locked((now: 0, most: 0))

  var count: Int { counts.withLock { $0.now } }
  var most: Int { counts.withLock { $0.most } }

  func enter() {
    counts.withLock {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
  }

  func leave() { counts.withLock { $0.now -= 1 } }
}
