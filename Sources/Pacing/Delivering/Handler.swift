/// A user's closure, where it runs, and what happens when its runs would overlap.
///
/// Scheduled beginnings do not retain the closure: a tool that releases its handler releases
/// everything the closure captures, even if a queue is stuck. A synchronous closure comes with each
/// delivery taken; an async one, whose delivery can only be taken where it runs, is held weakly.
struct Handler<Output: Sendable>: Sendable {
  /// What happens when runs would overlap; the queue keeps it longer than the rest.
  private(set) var overlap: Overlap
  let body: Body

  /// The closure and its place; a queue keeps it for the handler.
  enum Body: Sendable {
    case synchronous(Callback<Output>)
    /// If the owner, which is held weakly, is gone, nothing is delivered.
    indirect case owned(Callback<Output>, owner: @Sendable () -> AnyObject?)
    case task(@Sendable (TimerService, any DeliverySource<Output>) -> Void)

    /// The closure if it is synchronous: after each delivery its thread continues with the next one
    /// that was decided.
    var closure: (@Sendable (Output) -> Void)? {
      switch self {
      case .synchronous(let callback), .owned(let callback, _): callback.body
      case .task: nil
      }
    }

    /// How the source's next delivery begins.
    var start: Start {
      switch self {
      case .synchronous(let callback): .synchronous(callback.place)
      case .owned(let callback, let owner): .owned(callback.place, owner)
      case .task(let begin): .task(begin)
      }
    }
  }

  /// Schedules the next delivery of a source at the handler's place, where it is taken from the
  /// source; retains no synchronous closure.
  enum Start: Sendable {
    case synchronous(Delivery)
    case owned(Delivery, @Sendable () -> AnyObject?)
    case task(@Sendable (TimerService, any DeliverySource<Output>) -> Void)

    func callAsFunction(_ service: TimerService, _ source: any DeliverySource<Output>) {
      switch self {
      case .synchronous(let place):
        place.perform(in: service) { Handler.deliver(from: source, in: service) }
      case .owned(let place, let owner):
        place.perform(in: service) {
          guard let held = owner() else { return source.leave() }
          withExtendedLifetime(held) { Handler.deliver(from: source, in: service) }
        }
      case .task(let begin): begin(service, source)
      }
    }
  }

  init(
    overlap: Overlap = .keepLatest,
    begin: @escaping @Sendable (TimerService, any DeliverySource<Output>) -> Void
  ) {
    self.overlap = overlap
    body = .task(begin)
  }

  /// The same handler with another overlap.
  func overlapping(_ overlap: Overlap) -> Handler {
    var handler = self
    handler.overlap = overlap
    return handler
  }

  /// A synchronous handler.
  init(_ callback: Callback<Output>) {
    overlap = .keepLatest
    body = .synchronous(callback)
  }

  /// A synchronous handler with an owner that is held weakly.
  init(_ callback: Callback<Output>, owner: @escaping @Sendable () -> AnyObject?) {
    overlap = .keepLatest
    body = .owned(callback, owner: owner)
  }

  /// A handler on the library's threads or on your queue.
  init(on place: Delivery, _ body: @escaping @Sendable (Output) -> Void) {
    self.init(Callback(on: place, body))
  }

  /// A handler on the main actor.
  init(on place: MainDelivery, _ body: @escaping @MainActor (Output) -> Void) {
    self.init(Callback(on: place, body))
  }

  private static func deliver(from source: any DeliverySource<Output>, in service: TimerService) {
    var next = source.take(nil)
    let end = service.now + turnLength
    while let taken = next.take() {
      // A task that waits for the end of a run may rely on the closure being released by then.
      let delivery = (consume taken).run()
      next = source.next(after: delivery, until: end)
    }
  }

  /// An async handler that receives its run.
  init(overlap: Overlap, run body: @escaping @Sendable (Output, HandlerRun) async -> Void) {
    let held = Held(body)
    self.init(overlap: overlap) { service, source in
      HandlerRun.begin(in: service) { [weak held] run in
        guard let delivery = source.take(run)?.delivery else { return }
        await held?.thing(delivery.output, run)
        source.ended(delivery)
      }
    }
  }

  /// An async handler on the main actor that receives its run.
  init(
    on _: MainDelivery, overlap: Overlap,
    run body: @escaping @MainActor (Output, HandlerRun) async -> Void
  ) {
    let held = Held(body)
    self.init(overlap: overlap) { service, source in
      HandlerRun.begin(in: service) { [weak held] run in
        await Self.deliver(from: source, run, to: MainActor.shared) { [weak held] _, output in
          await held?.thing(output, run)
        }
      }
    }
  }

  /// An async handler inside a weakly held actor that receives its run.
  init<Owner: Actor>(
    on owner: Owner, overlap: Overlap,
    run body: @escaping @Sendable (isolated Owner, Output, HandlerRun) async -> Void
  ) {
    let held = Held(body)
    self.init(overlap: overlap) { [weak owner] service, source in
      HandlerRun.begin(in: service) { [weak owner, weak held] run in
        guard let owner else { return source.leave() }
        await Self.deliver(from: source, run, to: owner) { [weak held] owner, output in
          await held?.thing(owner, output, run)
        }
      }
    }
  }

  static func deliver<Owner: Actor>(
    from source: any DeliverySource<Output>, _ run: HandlerRun, to owner: isolated Owner,
    _ body: @Sendable (isolated Owner, Output) async -> Void
  ) async {
    guard let delivery = source.take(run)?.delivery else { return }
    await body(owner, delivery.output)
    source.ended(delivery)
  }
}

extension Handler {
  /// An async handler.
  init(overlap: Overlap = .keepLatest, _ body: @escaping @Sendable (Output) async -> Void) {
    self.init(overlap: overlap, run: { output, _ in await body(output) })
  }

  /// An async handler on the main actor.
  init(
    on place: MainDelivery, overlap: Overlap = .keepLatest,
    _ body: @escaping @MainActor (Output) async -> Void
  ) {
    self.init(on: place, overlap: overlap, run: { output, _ in await body(output) })
  }

  /// An async handler inside a weakly held actor.
  init<Owner: Actor>(
    on owner: Owner, overlap: Overlap = .keepLatest,
    _ body: @escaping @Sendable (isolated Owner, Output) async -> Void
  ) {
    self.init(on: owner, overlap: overlap, run: { owner, output, _ in await body(owner, output) })
  }
}

/// How long a handler continues with further deliveries before it yields its place to others.
private let turnLength: Nanoseconds = 200_000

/// A constant behind a reference: a closure can be held weakly, and a large value takes one word.
final class Held<Thing: Sendable>: Sendable {
  let thing: Thing

  init(_ thing: Thing) {
    self.thing = thing
  }
}

/// A delivery that has begun, with the closure to call if that is synchronous.
struct Taken<Output: Sendable>: Sendable {
  let delivery: Decided<Output>
  let body: (@Sendable (Output) -> Void)?

  /// Calls the closure and releases it.
  consuming func run() -> Decided<Output> {
    body?(delivery.output)
    return delivery
  }
}

/// The source of a handler's deliveries: a tool's pacer.
protocol DeliverySource<Output>: AnyObject, Sendable {
  associatedtype Output: Sendable

  /// Begins the oldest decided delivery; nil if it was withdrawn.
  func take(_ run: HandlerRun?) -> Taken<Output>?

  /// Ends a delivery and, before the instant `end`, begins the next one decided before it ended.
  func next(after delivery: Decided<Output>, until end: PacingInstant) -> Taken<Output>?

  /// Drops decided deliveries, now and later: the handler's owner is gone.
  func leave()
}

extension DeliverySource {
  /// Ends a delivery without taking the next one.
  func ended(_ delivery: Decided<Output>) { _ = next(after: delivery, until: .distantPast) }
}
