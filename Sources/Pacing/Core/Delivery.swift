public import Dispatch

/// Where a tool runs its handler: `.shared`, or a queue of your own with `.queue(_:)`.
///
/// For handlers that belong to the main actor write `on: .main`; that is `MainDelivery`.
///
/// ## Concurrency
/// `.shared` is one concurrent queue for all tools, never the timer's own: a handler that blocks
/// delays no other tool. A tool runs one handler at a time, wherever that is.
public struct Delivery: Sendable {
  private enum Place {
    case shared
    case queue(DispatchQueue)
    case main
  }

  private static let sharedQueue = DispatchQueue(label: "pacing.shared", attributes: .concurrent)

  private let place: Place

  /// The library's own concurrent queue: the default.
  public static var shared: Delivery { Delivery(place: .shared) }

  /// The main queue, where a handler may assume the main actor.
  static var mainQueue: Delivery { Delivery(place: .main) }

  /// A queue of your own; a serial one keeps handlers of several tools apart from each other.
  public static func queue(_ queue: DispatchQueue) -> Delivery { Delivery(place: .queue(queue)) }

  /// Runs `work` there: on the advancing thread where time is manual and the place is `.shared`.
  package func perform(in service: TimerService, _ work: @escaping @Sendable () -> Void) {
    guard let manual = service.manual else {
      queue.async(execute: work)
      return
    }
    if case .shared = place {
      manual.enqueue(work)
    } else {
      manual.began()
      queue.async {
        work()
        manual.ended()
      }
    }
  }

  private var queue: DispatchQueue {
    switch place {
    case .shared: Self.sharedQueue
    case .queue(let queue): queue
    case .main: .main
    }
  }
}

/// The main actor as the place of a handler: `on: .main`.
///
/// It is a type of its own, so that the compiler knows the handler's isolation: the handler may
/// touch the main actor's state without a task, an `await` or a hop that you write.
public struct MainDelivery: Sendable {
  /// The main actor.
  public static var main: MainDelivery { MainDelivery() }
}

/// A user's closure and the place where it runs.
struct Handler<Output: Sendable>: Sendable {
  let place: Delivery
  let body: @Sendable (Output) -> Void

  init(on place: Delivery, _ body: @escaping @Sendable (Output) -> Void) {
    self.place = place
    self.body = body
  }

  init(on _: MainDelivery, _ body: @escaping @MainActor (Output) -> Void) {
    place = .mainQueue
    self.body = { output in MainActor.assumeIsolated { body(output) } }
  }
}
