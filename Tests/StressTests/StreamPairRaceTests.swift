import Pacing
import PacingTesting
import TestSupport
import Testing

/// A consumer whose request for an element races another event on the tool.
@Suite("Streams: a consumer that asks, and what it can meet", .alone)
struct StreamPairRaceTests {
  enum Event: CaseIterable { case value, valueAndEnd, finish, drop, cancel }

  private let rounds = Soak.seeds(200)

  /// The first answer; if it is nil, also the one after it, which must be nil again.
  private func answers<Value: Sendable>(
    of stream: AsyncStream<Value>, in meeting: Meeting, to act: @escaping @Sendable () -> Void
  ) async -> (first: Value?, second: Value?) {
    let ask = {
      var iterator = stream.makeAsyncIterator()
      let first = await iterator.next()
      return (first, first == nil ? await iterator.next() : nil)
    }
    return await meeting.of(ask, act).0
  }

  @Test("a value is had, an end ends, whatever comes at that moment", arguments: Event.allCases)
  func valueTools(event: Event) async {
    let meeting = Meeting()
    for round in rounds {
      let clock = ManualClock()
      let tool = Slot(Throttler<Int>(every: .seconds(1), clock: clock))
      let stream = tool.value!.ticks()
      let (first, second) = await canceller { cancel in
        await self.answers(of: stream, in: meeting) {
          switch event {
          case .value: tool.value?.send(1)
          case .valueAndEnd:
            tool.value?.send(1)
            tool.value?.finish()
          case .finish: tool.value?.finish()
          case .drop: tool.put(nil)
          case .cancel: cancel()
          }
        }
      }
      let hasValue = event == .value || event == .valueAndEnd
      #expect(first == (hasValue ? 1 : nil) && second == nil, "round \(round)")
      tool.put(nil)
      #expect(clock.pendingCount == 0)
    }
  }

  private enum Call: CaseIterable, Comparable { case value, finish, drop, leave }

  @Test("a consumer that waits has the value or not, and ends, whichever two calls meet")
  func pairs() {
    let meeting = Meeting()
    for first in Call.allCases {
      for second in Call.allCases where first <= second {
        let hasEnd = (first, second) != (.value, .value)
        // A batcher keeps all values; those sent before the end arrive before it or not at all.
        let expected: Set<[Int]> =
          first != .value ? [[]] : second == .value ? [[1, 2]] : [[], [1]]
        for round in rounds {
          let clock = ManualClock()
          let tool = Slot(Batcher<Int>(BatchLimit(maximumCount: 1), clock: clock))
          let (taken, ends) = (EventRecorder<Int>(), Counter())
          let consumer = clock.run { [ticks = tool.value!.ticks()] in
            for await batch in ticks { taken.record(batch[0]) }
            ends.add()
          }
          let perform: @Sendable (Call, Int) -> Void = { call, value in
            switch call {
            case .value: tool.value?.send(value)
            case .finish: tool.value?.finish()
            case .drop: tool.put(nil)
            case .leave: consumer.cancel()
            }
          }
          _ = meeting.of({ perform(first, 1) }, { perform(second, 2) })
          clock.runReady()
          let isRight = expected.contains(taken.values.sorted()) && ends.value == (hasEnd ? 1 : 0)
          #expect(isRight, "\(first) and \(second), round \(round): \(taken.values)")
          tool.put(nil)
          clock.runReady()
          #expect(ends.value == 1 && clock.pendingCount == 0)
        }
      }
    }
  }

  @Test("an element that comes while its consumer asks is had, each of thousands")
  func asking() async {
    let meeting = Meeting()
    let tool = Throttler<Int>(every: .zero, clock: ManualClock())
    let stream = tool.ticks()
    for value in 0..<2_500 * Soak.scale {
      let (had, _) = await meeting.of(
        {
          var iterator = stream.makeAsyncIterator()
          return await iterator.next()
        }, { tool.send(value) })
      if had != value { Issue.record("\(value): \(String(describing: had))") }
    }
  }

  @Test("of two consumers of a stream's values each is had once, and both end")
  func twoConsumers() async {
    let meeting = Meeting()
    for _ in rounds {
      let tool = Batcher<Int>(BatchLimit(maximumCount: 1), clock: ManualClock())
      let stream = tool.ticks()
      let other = Task { await stream.reduce(into: [Int]()) { $0 += $1 } }
      let (own, _) = await meeting.of({ await stream.reduce(into: [Int]()) { $0 += $1 } }) {
        for value in 0..<3 { tool.send(value) }
        tool.finish()
      }
      #expect(await (own + other.value).sorted() == [0, 1, 2])
    }
  }

  @Test("a timer's stream has the tick, or ends with the timer")
  func timers() async {
    let meeting = Meeting()
    for round in rounds {
      let clock = ManualClock()
      let timer = DispatchTimer(.every(.seconds(1)), clock: clock)
      timer.start()
      let ticking = await answers(of: timer.ticks(), in: meeting) {
        clock.advance(by: .seconds(1))
      }
      #expect(ticking.first?.index == 0, "round \(round)")
      let ending = await answers(of: timer.ticks(), in: meeting) { timer.cancel() }
      #expect(ending.first == nil && ending.second == nil, "round \(round)")
      #expect(clock.pendingCount == 0)
    }
  }

  @Test("a bucket's stream has the token that comes, and ends when the bucket closes")
  func buckets() async {
    let meeting = Meeting()
    for round in rounds {
      let bucket = TokenBucket(rate: .none, burst: 5, initial: 0)
      let stream = bucket.ticks()
      let granted = await answers(of: stream, in: meeting) { bucket.add(1) }
      #expect(granted.first != nil, "round \(round)")
      let closed = await answers(of: stream, in: meeting) { bucket.close() }
      #expect(closed.first == nil && closed.second == nil, "round \(round)")
      #expect(bucket.waitingCount == 0)
    }
  }

  @Test("an operator's consumer has the element, or the end, and nothing is held afterwards")
  func operators() async {
    let meeting = Meeting()
    for round in rounds {
      for event in [Event.valueAndEnd, .finish, .cancel] {
        let source = Source<Int, Never>()
        let values = source.debounced(for: .zero).delayed(by: .microseconds(1))
        let (first, _) = await canceller { cancel in
          await meeting.of(
            {
              var iterator = values.makeAsyncIterator()
              return await iterator.next()
            },
            {
              if event == .valueAndEnd { source.send(1) }
              if event == .cancel { cancel() } else { source.finish() }
            })
        }
        #expect(first == (event == .valueAndEnd ? 1 : nil), "round \(round), \(event)")
      }
    }
  }
}
