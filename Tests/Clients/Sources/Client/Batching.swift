import Dispatch
import Pacing
import PacingTesting
import Synchronization

/// An actor that keeps events, some at a time.
actor EventStore {
  private var sizes = [Int]()
  private var batcher: Batcher<String>?

  func open(_ clock: any Clock<Duration>) {
    batcher = Batcher(maximumCount: 2, maximumDelay: .seconds(1), clock: clock).handle(in: self) {
      store, events in store.sizes.append(events.count)
    }
  }

  func add(_ event: String) { batcher?.send(event) }

  static func tryOut() async {
    let clock = ManualClock()
    let store = EventStore()
    await store.open(clock)
    for event in ["a", "b", "c"] { await store.add(event) }
    await clock.settle()
    clock.advance(by: .seconds(1))
    await clock.settle()
    let sizes = await store.sizes
    verify(sizes == [2, 1], "a full batch, and the rest")
  }
}

/// A class of the main actor that shows events as they come, some at a time.
@MainActor
final class EventList {
  private var sizes = [Int]()
  private var batcher: Batcher<String>?

  init(clock: any Clock<Duration>) {
    batcher = Batcher(BatchLimit(maximumCount: 2, idleGap: .seconds(1)), clock: clock).handle(
      on: .main
    ) { [weak self] events in
      self?.sizes.append(events.count)
    }
  }

  static func tryOut() async {
    let clock = ManualClock()
    let list = EventList(clock: clock)
    for event in ["a", "b", "c"] { list.batcher?.send(event) }
    clock.advance(by: .seconds(1))
    await clock.settle()
    clock.advance(by: .zero)
    await clock.settle()
    verify(list.sizes == [2, 1], "a full batch, and the rest")
  }
}

func batchOnQueues() async {
  let clock = ManualClock()
  let queue = DispatchQueue(label: "client")
  let inserted = Mutex([[Int]]())
  let rows = Batcher<Int>(maximumCount: 100, maximumDelay: .milliseconds(50), clock: clock).handle(
    on: .queue(queue)
  ) { rows in inserted.withLock { $0.append(rows) } }
  [1, 2].forEach(rows.send)
  verify(rows.isPending && rows.flush(), "there was something to flush")
  await clock.settle()
  [3, 4].forEach(rows.send)
  verify(rows.cancel() == [3, 4], "cancelling gives the elements back")
  rows.finish()
  verify(inserted.withLock { $0 } == [[1, 2]], "what was inserted")
}

func batchAsStream() async {
  let batcher = Batcher<Int>(.every(.milliseconds(5), maximumCount: 4), weigh: { _ in 1 })
  let batches = batcher.ticks()
  for value in 0..<10 { batcher.send(value) }
  batcher.finish()
  var all = [Int]()
  for await batch in batches { all += batch }
  verify(all == Array(0..<10), "no element is lost")

  let pairs = Batcher<Int>(maximumCount: 2, maximumDelay: .seconds(60))
  var stream = pairs.ticks().makeAsyncIterator()
  [1, 2].forEach(pairs.send)
  let pair = await stream.next()
  verify(pair == [1, 2], "a full batch")
}
