import Dispatch
import Pacing
import PacingTesting
import Synchronization

/// A class of the main actor with a debouncer of its own.
@MainActor
final class SearchField {
  private let clock: ManualClock
  private(set) var searched = [String]()

  private lazy var search = Debouncer<String>(
    for: .milliseconds(300), maximumWait: .seconds(2), clock: clock
  ).handle(on: .main) { [weak self] query in
    self?.searched.append(query)
  }

  init(clock: ManualClock) {
    self.clock = clock
  }

  func type(_ text: String) {
    search.send(text)
  }

  static func tryOut() async {
    let clock = ManualClock()
    let field = SearchField(clock: clock)
    for text in ["s", "sw", "swift"] { field.type(text) }
    clock.advance(by: .milliseconds(300))
    await clock.settle()
    verify(field.searched == ["swift"], "the main actor has the last value")
  }
}

func debounceOnQueues() async {
  let clock = ManualClock()
  let count = Atomic(0)
  let shared = Debouncer<Int>(for: .milliseconds(100), clock: clock) { value in
    verify(value == 3, "the last value")
  }
  [1, 2, 3].forEach(shared.send)
  verify(shared.isPending, "a value is pending")
  clock.advance(by: .milliseconds(100))
  verify(!shared.isPending, "no value is pending")
  count.add(1, ordering: .relaxed)

  let queue = DispatchQueue(label: "client")
  let saved = Mutex([String]())
  let save = Debouncer<String>(
    for: .seconds(1), edges: .both, tolerance: .milliseconds(50), clock: clock
  ).handle(on: .queue(queue)) { text in
    dispatchPrecondition(condition: .onQueue(queue))
    saved.withLock { $0.append(text) }
  }
  save.send("leading")
  clock.advance(by: .zero)
  await clock.settle()
  save.send("withdrawn")
  verify(save.cancel() == "withdrawn", "cancelling gives the value back")
  save.send("leading")
  save.send("trailing")
  verify(save.flush(), "there was a value to flush")
  clock.advance(by: .zero)
  await clock.settle()
  save.finish()
  verify(saved.withLock { $0 } == ["leading", "leading", "trailing"], "what the queue has saved")
}

func debounceAsStream() async {
  let clock = ManualClock()
  let events = Debouncer<Void>(for: .milliseconds(100), clock: clock)
  let ticks = events.ticks()
  let listener = Task {
    var count = 0
    for await _ in ticks { count += 1 }
    return count
  }
  events.send()
  events.send()
  events.finish(.atOnce)
  let count = await listener.value
  verify(count == 1, "two events are one")

  let real = Debouncer<Int>(for: .milliseconds(1))
  let values = real.ticks()
  real.send(1)
  real.send(2)
  // A machine that is busy between the two calls delivers both.
  for await value in values where value == 2 { break }
}
