public import Dispatch

/// Where a tool runs its handler: on the library's threads or on a dispatch queue; `on: .main`, on
/// the main actor, is a ``Place/Main``.
///
/// ## Concurrency
/// `.shared` is one pool of threads for all tools, separate from the timer's thread. A handler that
/// blocks delays no other tool: if all threads are blocked, another one starts within milliseconds,
/// up to 128 of them.
public struct Place: Sendable {
  private enum Kind {
    case shared
    case queue(DispatchQueue)
  }

  private let kind: Kind

  /// The library's threads; the default.
  public static var shared: Place { Place(kind: .shared) }

  /// A dispatch queue; a serial one also serialises the handlers of several tools.
  public static func queue(_ queue: DispatchQueue) -> Place { Place(kind: .queue(queue)) }

  /// The main actor as a handler's place: `on: .main`.
  ///
  /// A type of its own, so that the compiler knows that the handler may use main-actor state.
  public struct Main: Sendable {
    /// The main actor.
    public static var main: Main { Main() }
  }

  /// Runs `work` there; on the advancing thread if time is manual and the place is `.shared`.
  package func perform(in service: TimerService, _ work: @escaping @Sendable () -> Void) {
    guard case .queue(let queue) = kind else { return service.perform(work) }
    guard let manual = service.manual else { return queue.async(execute: work) }
    manual.began()
    queue.async {
      work()
      manual.ended()
    }
  }
}

struct Callback<Output: Sendable>: Sendable {
  let place: Place
  let body: @Sendable (Output) -> Void

  init(on place: Place, _ body: @escaping @Sendable (Output) -> Void) {
    self.place = place
    self.body = body
  }

  init(on _: Place.Main, _ body: @escaping @MainActor (Output) -> Void) {
    // Where a closure may assume main-actor isolation.
    place = .queue(.main)
    self.body = { output in MainActor.assumeIsolated { body(output) } }
  }
}
