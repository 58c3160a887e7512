public import Dispatch

/// Where a tool runs its handler: `.shared`, or a queue of your own with `.queue(_:)`.
///
/// For handlers that belong to the main actor write `on: .main`; that is `MainDelivery`.
///
/// ## Concurrency
/// `.shared` is the same set of threads for all tools, never the timer's own. A handler that blocks
/// delays no other tool: where all threads are blocked, another one begins within milliseconds, up
/// to 128 of them. A tool runs one handler at a time, wherever that is; a keyed tool one for each
/// key.
public struct Delivery: Sendable {
  private enum Kind {
    case shared
    case queue(DispatchQueue)
    case main
  }

  private let kind: Kind

  /// The library's own threads: the default.
  public static var shared: Delivery { Delivery(kind: .shared) }

  /// The main queue, where a handler may assume the main actor.
  static var mainQueue: Delivery { Delivery(kind: .main) }

  /// A queue of your own; a serial one keeps handlers of several tools apart from each other.
  public static func queue(_ queue: DispatchQueue) -> Delivery { Delivery(kind: .queue(queue)) }

  /// Runs `work` there: on the advancing thread where time is manual and the place is `.shared`.
  package func perform(in service: TimerService, _ work: @escaping @Sendable () -> Void) {
    switch kind {
    case .shared: service.perform(work)
    case .queue(let queue): Self.enqueue(work, on: queue, in: service)
    case .main: Self.enqueue(work, on: .main, in: service)
    }
  }

  private static func enqueue(
    _ work: @escaping @Sendable () -> Void, on queue: DispatchQueue, in service: TimerService
  ) {
    guard let manual = service.manual else {
      queue.async(execute: work)
      return
    }
    manual.began()
    queue.async {
      work()
      manual.ended()
    }
  }
}
