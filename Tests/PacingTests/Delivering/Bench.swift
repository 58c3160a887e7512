import Dispatch
import Pacing
import PacingTesting
import TestSupport

/// A place for handlers, a kind of tool and the clock between them, for playing life cycles on
/// each.
///
/// A tool here delivers its first value immediately and the next after 100 ms. Decided deliveries
/// start only in `run()`, because the handler's queue is suspended until then.
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
  ) -> any ValuePacingTool<Value> {
    let window = Duration.milliseconds(100)
    let delivery = place == .queue ? Pacing.Place.queue(queue) : .shared
    return switch (kind, place) {
    case (.debouncer, .main):
      Debouncer(for: window, edges: .both, clock: clock).handle(on: .main, handler)
    case (.debouncer, _):
      Debouncer(for: window, edges: .both, clock: clock).handle(on: delivery, handler)
    case (.throttler, .main): Throttler(every: window, clock: clock).handle(on: .main, handler)
    case (.throttler, _): Throttler(every: window, clock: clock).handle(on: delivery, handler)
    }
  }

  /// Lets all decided deliveries start, and waits for their end.
  func run() async {
    clock.advance(by: .zero)
    queue.resume()
    await clock.settle()
    queue.suspend()
  }

  /// Lets a window pass, and all decided deliveries start.
  func runWindow() async {
    clock.lapse(by: .milliseconds(100))
    await run()
  }

  /// Ends the test: a suspended queue must not be released.
  func end() {
    queue.resume()
  }
}
