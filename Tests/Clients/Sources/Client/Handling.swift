import Dispatch
import Pacing
import PacingTesting
import Synchronization

/// A class of the main actor that takes values.
@MainActor
final class Desk {
  private(set) var values = [Int]()

  func take(_ value: Int) { values.append(value) }
}

/// An actor that takes values.
actor Shelf {
  private(set) var values = [Int]()

  func take(_ value: Int) { values.append(value) }
}

/// A class of any thread that takes values.
nonisolated final class Box: Sendable {
  private let taken = Mutex([Int]())

  var values: [Int] { taken.withLock { $0 } }
  func take(_ value: Int) { taken.withLock { $0.append(value) } }
}

/// Every form of `handle`, each with a debouncer.
@MainActor
func handleInEveryForm() async {
  let clock = ManualClock()
  let queue = DispatchQueue(label: "client")
  let (desk, shelf, box) = (Desk(), Shelf(), Box())
  func made() -> Debouncer<Int> { Debouncer(for: .seconds(1), clock: clock) }

  let shared = made().handle { value in box.take(value) }
  let serial = made().handle(on: .queue(queue)) { value in
    dispatchPrecondition(condition: .onQueue(queue))
    box.take(value)
  }
  let main = made().handle(on: .main) { value in desk.take(value) }
  let async = made().handle(overlap: .concurrent(2)) { value in
    await Task.yield()
    box.take(value)
  }
  let asyncMain = made().handle(on: .main, overlap: .cancelPrevious) { value in
    await Task.yield()
    desk.take(value)
  }
  let inside = made().handle(in: shelf) { shelf, value in shelf.take(value) }
  let owned = made().handle(with: box, on: .shared) { box, value in box.take(value) }
  let ownedMain = made().handle(with: desk, on: .main) { desk, value in desk.take(value) }
  let ownedAsync = made().handle(with: box, overlap: .queue(2)) { box, value in
    await Task.yield()
    box.take(value)
  }
  let ownedAsyncMain = made().handle(with: desk, on: .main, overlap: .dropNew) { desk, value in
    await Task.yield()
    desk.take(value)
  }
  let asyncInside = made().handle(in: shelf, overlap: .queue(1)) { shelf, value in
    await Task.yield()
    shelf.take(value)
  }

  let tools = [
    shared, serial, main, async, asyncMain, inside, owned, ownedMain, ownedAsync, ownedAsyncMain,
    asyncInside,
  ]
  for (number, tool) in tools.enumerated() { tool.send(number) }
  clock.advance(by: .seconds(1))
  await clock.settle()
  verify(box.values.sorted() == [0, 1, 3, 6, 8], "library threads, a queue, tasks")
  verify(desk.values.sorted() == [2, 4, 7, 9], "the main actor")
  verify(await shelf.values.sorted() == [5, 10], "an actor")
}

/// What a tool made of another one does: it passes the handler on.
nonisolated final class Doubler: DeliveringTool {
  typealias Delivered = Int

  private let tool: Throttler<Int>

  init(clock: any Clock<Duration>) {
    tool = Throttler(every: .seconds(1), clock: clock)
  }

  func send(_ value: Int) { tool.send(value * 2) }
  func attach(_ handler: Handler<Int>) { tool.attach(handler) }
  func ticks() -> AsyncStream<Int> { tool.ticks() }
  func onDrop(_ observer: @escaping @Sendable (Int, DropReason) -> Void) { tool.onDrop(observer) }
}

/// Code that accepts any tool with values of a type.
nonisolated func store<Tool: DeliveringTool<Int>>(_ tool: Tool, in box: Box) -> Tool {
  tool.handle(with: box) { box, value in box.take(value) }
}

func handleOthersTools() {
  let clock = ManualClock()
  let box = Box()
  let doubler = store(Doubler(clock: clock), in: box)
  doubler.send(4)
  clock.advance(by: .zero)
  verify(box.values == [8], "a tool made of another")
}
