import Dispatch
import Pacing
import PacingTesting
import Synchronization

/// A class of the main actor that shows progress.
@MainActor
final class Progress {
  private var shown = [Int]()
  private var throttler: Throttler<Int>?

  init(clock: any Clock<Duration>) {
    throttler = Throttler(every: .milliseconds(100), clock: clock).handle(on: .main) {
      [weak self] percent in self?.show(percent)
    }
  }

  private func show(_ percent: Int) {
    shown.append(percent)
  }

  static func tryOut() async {
    let clock = ManualClock()
    let progress = Progress(clock: clock)
    for percent in [10, 20, 30] { progress.throttler?.send(percent) }
    clock.advance(by: .milliseconds(100))
    await clock.settle()
    verify(progress.shown == [10, 30], "the main actor has both edges")
  }
}

func throttleOnQueues() async {
  let clock = ManualClock()
  let polled = Mutex([Int]())
  let poll = Throttler<Int>(every: .seconds(1), edges: .trailing, keeping: .first, clock: clock) {
    value in polled.withLock { $0.append(value) }
  }
  [1, 2, 3].forEach(poll.send)
  verify(poll.isPending, "a value is kept")
  clock.advance(by: .seconds(1))
  poll.send(4)
  verify(poll.cancel() == 4, "cancelling gives the value back")
  poll.send(5)
  verify(poll.reset() == 5, "so does resetting")
  poll.send(6)
  verify(poll.flush(), "there was a value to flush")
  clock.advance(by: .zero)
  verify(polled.withLock { $0 } == [1, 6], "what was polled")

  let queue = DispatchQueue(label: "client")
  let events = Throttler<Void>(every: .seconds(1), edges: .leading, clock: clock).handle(
    on: .queue(queue)
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
  }
  events.send()
  events.finish(.discard)
  await clock.settle()
}

func throttleAsStream() async {
  let throttler = Throttler<Int>(every: .milliseconds(1))
  let ticks = throttler.ticks()
  let sender = Task {
    for value in 0..<100 { throttler.send(value) }
    throttler.finish()
  }
  var last = -1
  for await value in ticks {
    verify(value > last, "values come in their order")
    last = value
  }
  await sender.value
  verify(last == 99, "the last value is delivered")
}
