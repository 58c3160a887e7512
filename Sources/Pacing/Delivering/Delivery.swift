public import Dispatch

/// Where a tool runs its handler: on the library's threads or on a dispatch queue.
///
/// For a handler on the main actor, pass `on: .main`; see ``MainDelivery``.
///
/// ## Concurrency
/// `.shared` is one pool of threads for all tools, separate from the timer's thread. A handler that
/// blocks delays no other tool: if all threads are blocked, another one starts within milliseconds,
/// up to 128 of them. On either, a tool runs one handler at a time; a keyed tool, one per key.
public struct Delivery: Sendable {
  private enum Kind {
    case shared
    case queue(DispatchQueue)
    case main
  }

  private let kind: Kind

  /// The library's threads; the default.
  public static var shared: Delivery { Delivery(kind: .shared) }

  /// Counts of the threads behind `.shared`, such as those that the system has refused.
  ///
  /// - Complexity: O(1).
  public static var threads: ThreadStatistics {
    let (running, waiting, refused) = SharedWorkers.system.counts
    return ThreadStatistics(running: running, waiting: waiting, refused: refused)
  }

  /// The main queue, where a handler may assume main-actor isolation.
  static var mainQueue: Delivery { Delivery(kind: .main) }

  /// A dispatch queue; a serial one also serialises the handlers of several tools.
  public static func queue(_ queue: DispatchQueue) -> Delivery { Delivery(kind: .queue(queue)) }

  /// Runs `work` there; on the advancing thread if time is manual and the place is `.shared`.
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
