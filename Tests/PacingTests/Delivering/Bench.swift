import Dispatch
import Pacing
import PacingTesting
import TestSupport

/// A place for handlers, a kind of tool, and the clock between them: life cycles are played on
/// each.
///
/// A tool here delivers its first value at once and the next after 100 ms. What is decided begins
/// in `run()` and not before: the handler's queue is held until then.
@MainActor
struct Bench {
  enum Place: CaseIterable { case shared, queue, main }
  enum Kind: CaseIterable { case debouncer, throttler }

  let clock = ManualClock()
  let place: Place
  let kind: Kind
  private let queue = DispatchQueue(label: "bench")

  init(_ place: Place, _ kind: Kind) {
    (self.place, self.kind) = (place, kind)
    queue.suspend()
  }

  /// Makes a tool with both edges.
  func tool<Value: Sendable>(
    _ handler: @escaping @Sendable (Value) -> Void
  ) -> any PacingTool<Value> {
    let window = Duration.milliseconds(100)
    let delivery = place == .queue ? Delivery.queue(queue) : .shared
    return switch (kind, place) {
    case (.debouncer, .main):
      Debouncer(for: window, edges: .both, on: .main, clock: clock, handler: handler)
    case (.debouncer, _):
      Debouncer(for: window, edges: .both, on: delivery, clock: clock, handler: handler)
    case (.throttler, .main): Throttler(every: window, on: .main, clock: clock, handler: handler)
    case (.throttler, _): Throttler(every: window, on: delivery, clock: clock, handler: handler)
    }
  }

  /// Lets everything begin that has been decided, and waits for its end.
  func run() async {
    clock.advance(by: .zero)
    queue.resume()
    await clock.settle()
    queue.suspend()
  }

  /// Lets a window pass, and everything begin that has been decided.
  func runWindow() async {
    clock.lapse(by: .milliseconds(100))
    await run()
  }

  /// Ends the test: a queue that is held may not be released.
  func end() {
    queue.resume()
  }
}
