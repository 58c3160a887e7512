import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Batcher")
struct BatcherTests {
  @Test("a flush after the end of a period closes that period, and adds no empty one")
  func flushAfterPeriod() {
    let clock = ManualClock()
    let batches = EventRecorder<[Int]>()
    let batcher = Batcher<Int>(.every(.milliseconds(100), includingEmpty: true), clock: clock) {
      batches.record($0)
    }
    batcher.suspend()
    clock.advance(by: .milliseconds(50))
    batcher.send(1)
    clock.advance(by: .milliseconds(70))
    batcher.flush()
    clock.advance(by: .milliseconds(10))
    batcher.resume()
    clock.advance(by: .zero)
    #expect(batches.values == [[1]])
  }

  /// Sends one letter per step of ten milliseconds, `-` for none; `!` flushes, `x` cancels, `|`
  /// finishes.
  ///
  /// - Returns: The batches, each with its step: "4:ab".
  private func play(_ script: Marbles, _ limit: BatchLimit) -> [String] {
    let clock = ManualClock(step: step)
    let batches = EventRecorder<String>(clock: clock)
    let batcher = Batcher<Character>(limit, weigh: { $0.isUppercase ? 3 : 1 }, clock: clock) {
      batches.record("\(clock.now.milliseconds / 10):\(String($0))")
    }
    // A call precedes the timers of its instant, so the tool itself discovers what was due.
    clock.play(script, ties: .callsFirst) { mark in
      switch mark {
      case "!": batcher.flush()
      case "x": _ = batcher.cancel()
      case "|": batcher.finish()
      default: batcher.send(mark)
      }
    }
    return batches.values
  }

  private let step = Marbles.step

  /// Keeps batches of two, through the shorthand for an actor.
  private actor Store {
    private(set) var batches = [[Int]]()
    private var batcher: Batcher<Int>?

    func open(_ clock: any Clock<Duration>) -> Batcher<Int> {
      let batcher = Batcher<Int>(maximumCount: 2, maximumDelay: .seconds(1), clock: clock).handle(
        in: self
      ) { store, batch in store.batches.append(batch) }
      self.batcher = batcher
      return batcher
    }
  }

  @Test("a flush tells whether anything was held, and waits for no batch that came after it")
  func flushes() async {
    let clock = ManualClock()
    let batches = EventRecorder<[Int]>(clock: clock)
    let batcher = Batcher<Int>(.every(.milliseconds(1)), clock: clock) { batches.record($0) }
    #expect(!batcher.flush())
    batcher.send(1)
    #expect(batcher.flush())
    #expect(!batcher.flush())
    batcher.send(2)
    let flush = clock.run { await batcher.flushAndWait() }
    batcher.send(3)
    clock.runReady()
    #expect(await flush.value)
    #expect(batches.values == [[1], [2]])
  }

  @Test("the short form has an actor, the main actor and a stream, as the long one has")
  func shortForms() async {
    let clock = ManualClock()
    let store = Store()
    let kept = await store.open(clock)
    let shown = EventRecorder<[Int]>(clock: clock)
    let main = Batcher<Int>(maximumCount: 2, maximumDelay: .seconds(1), clock: clock).handle(
      on: .main
    ) { batch in
      await Task.yield()
      shown.record(batch)
    }
    let streamed = Batcher<Int>(maximumCount: 2, maximumDelay: .seconds(1), clock: clock)
    let seen = EventRecorder<[Int]>(clock: clock)
    clock.run { await seen.record(from: streamed.ticks()) }
    for batcher in [kept, main, streamed] { [1, 2, 3].forEach(batcher.send) }
    for _ in 0..<2 {
      await clock.settle()
      clock.advance(by: .seconds(1))
    }
    await clock.settle()
    let all = [[1, 2], [3]]
    #expect(await store.batches == all)
    #expect(shown.values == all && seen.values == all)
  }

  @Test("closes a batch that is full, or whose time is over")
  func countAndDelay() {
    let limit = BatchLimit(maximumCount: 3, maximumDelay: step * 4)
    #expect(play("a-b-----cdef---------", limit) == ["4:ab", "10:cde", "15:f"])
    #expect(play("abcdefg------", limit) == ["2:abc", "5:def", "10:g"])
  }

  @Test("a trickle is delivered in time: the delay counts from the first element")
  func trickle() {
    let limit = BatchLimit(maximumDelay: step * 4)
    #expect(play("ab-c-d-e-f-----", limit) == ["4:abc", "9:de", "13:f"])
  }

  @Test("closes a batch after a gap, and by weight: no heavier than it may be")
  func gapAndWeight() {
    #expect(play("ab-c----d----", BatchLimit(idleGap: step * 3)) == ["6:abc", "11:d"])
    let limit = BatchLimit(maximumWeight: 4)
    #expect(play("abAcdBefgh|", limit) == ["2:ab", "3:Ac", "5:dB", "9:efgh"])
    #expect(play("aA|", BatchLimit(maximumWeight: 2)) == ["1:a", "1:A"])
  }

  @Test("closes batches on a grid, which a full batch restarts")
  func phase() {
    #expect(play("-a-b-----c---", .every(step * 4)) == ["4:ab", "12:c"])
    #expect(
      play("-a-------", .every(step * 3, includingEmpty: true)) == ["3:a", "6:", "9:"].dropLast())
    #expect(play("-ab--c----", .every(step * 4, maximumCount: 2)) == ["2:ab", "6:c"])
  }

  @Test("flushes, cancels and finishes")
  func verbs() {
    let limit = BatchLimit(maximumDelay: step * 4)
    #expect(play("ab!c--------", limit) == ["2:ab", "7:c"])
    #expect(play("abxc--------", limit) == ["7:c"])
    #expect(play("ab--x-------", limit) == [])
    #expect(play("ab|c--------", limit) == ["2:ab"])
    #expect(play("!x|---", limit) == [])
    #expect(play("|-----", .every(step * 2, includingEmpty: true)) == ["0:"])
  }

  @Test("closed batches wait in line, are not merged, and cancelling gives all elements back")
  func line() {
    let clock = ManualClock()
    let batches = EventRecorder<[Int]>()
    let batcher = Batcher<Int>(maximumCount: 2, maximumDelay: .seconds(1), clock: clock) {
      batches.record($0)
    }
    for value in 0..<7 { batcher.send(value) }
    clock.runReady()
    #expect(batches.values == [[0, 1], [2, 3], [4, 5]])
    #expect(batcher.isPending)
    for value in 7..<10 { batcher.send(value) }
    #expect(batcher.cancel() == [6, 7, 8, 9])
    #expect(!batcher.isPending && clock.pendingCount == 0)
    clock.advance(by: .seconds(2))
    #expect(batches.values.count == 3)
  }

  @Test("flushAndWait waits for a batch that begins only when another has ended")
  func flushBehind() async {
    let clock = ManualClock()
    let log = EventRecorder<String>()
    let batcher = Batcher<Int>(BatchLimit(maximumCount: 2), clock: clock).handle { batch in
      try? await clock.sleep(for: .milliseconds(10))
      log.record("\(batch)")
    }
    for value in 0..<3 { batcher.send(value) }
    clock.run {
      await batcher.flushAndWait()
      log.record("returned")
    }
    for _ in 0..<2 {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .milliseconds(10))
    }
    await clock.settle()
    clock.runReady()
    #expect(log.values == ["[0, 1]", "[2]", "returned"])
  }

  @Test("a stream keeps every batch for a slow consumer, in order, and then ends")
  func stream() async {
    let batcher = Batcher<Int>(BatchLimit(maximumCount: 2), clock: ManualClock())
    let ticks = batcher.ticks()
    for value in 0..<201 { batcher.send(value) }
    batcher.finish()
    var elements = [Int]()
    for await batch in ticks { elements += batch }
    #expect(elements == Array(0..<201))
  }

  @Test(
    "no element is lost, doubled or moved, and none waits too long", arguments: Soak.portions(300))
  func laws(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      let clock = ManualClock()
      let count = Int.random(in: 1...6, using: &random)
      let delay = Int.random(in: 0...20, using: &random)
      let delivered = EventRecorder<(batch: [Int], at: PacingInstant)>()
      let batcher = Batcher<Int>(
        maximumCount: count, maximumDelay: .milliseconds(delay), clock: clock
      ) { delivered.record(($0, clock.now)) }
      var sentAt = [PacingInstant]()
      var withdrawn = Set<Int>()
      for _ in 0..<120 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: withdrawn.formUnion(batcher.cancel())
        case 1: batcher.flush()
        case 2, 3: clock.advance(by: .milliseconds(Int.random(in: 0...15, using: &random)))
        default:
          batcher.send(sentAt.count)
          sentAt.append(clock.now)
        }
        clock.runReady()
      }
      batcher.finish()
      clock.runReady()
      let elements = delivered.values.flatMap(\.batch)
      #expect(elements == (0..<sentAt.count).filter { !withdrawn.contains($0) }, "seed \(seed)")
      for (batch, at) in delivered.values {
        #expect((1...count).contains(batch.count), "seed \(seed)")
        #expect(sentAt[batch[0]].duration(to: at) <= .milliseconds(delay), "seed \(seed)")
      }
    }
  }

  @Test("closed batches that a cancel dropped do not count towards the bound")
  func boundAfterCancel() async {
    let clock = ManualClock()
    let gate = Gate<[Int]>()
    let limit = BatchLimit(maximumCount: 1, maximumPendingBatches: 1)
    let batcher = Batcher<Int>(limit, clock: clock).handle { await gate.pass($0) }
    batcher.send(1)
    await gate.arrival([1])
    batcher.send(2)
    batcher.cancel()
    batcher.send(3)
    #expect(batcher.pending == [3] && batcher.statistics.dropped(.overflow) == 0)
    gate.openAll()
    await clock.settle()
  }

  @Test("no more closed batches wait than the bound says, whatever closes them; the oldest go")
  func bound() async {
    for way in 0..<4 {
      let clock = ManualClock()
      let gate = Gate<[Int]>()
      let taken = EventRecorder<[Int]>()
      let drops = EventRecorder<String>()
      let limit = BatchLimit(
        maximumCount: 3, maximumWeight: 10, maximumDelay: .milliseconds(10),
        maximumPendingBatches: 1)
      let batcher = Batcher<Int>(limit, weigh: { $0 }, clock: clock).handle { batch in
        taken.record(batch)
        await gate.pass(batch)
      }
      batcher.onDrop { elements, reason in drops.record("\(elements) \(reason)") }
      batcher.send(10)
      await gate.arrival([10])
      batcher.send(1)
      clock.lapse(by: .milliseconds(10))
      // The element closes a batch by time and one by weight, so two would wait.
      switch way {
      case 0: batcher.send(11)
      case 1:
        batcher.send(2)
        batcher.flush()
      case 2:
        batcher.send(2)
        Task.eager { await batcher.flushAndWait() }
      default:
        batcher.send(2)
        batcher.finish()
      }
      #expect(batcher.statistics.dropped(.overflow) == 1 && batcher.pending.count == 1)
      clock.runReady()
      #expect(drops.values == ["[1] overflow"])
      gate.openAll()
      await clock.settle()
      clock.advance(by: .milliseconds(10))
      await clock.settle()
      #expect(taken.values == [[10], way == 0 ? [11] : [2]])
    }
  }
}
