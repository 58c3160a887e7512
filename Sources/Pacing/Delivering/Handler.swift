/// A user's closure, the place where it runs, and what happens when its runs would overlap.
///
/// Beginnings that are on their way do not keep the closure: a tool that lets go of its handler,
/// because it is over, lets go of all that the closure holds, however long a queue is stuck. A
/// closure that is not async comes along with each delivery that is taken; an async one, which can
/// only be taken where it runs, is held weakly.
struct Handler<Output: Sendable>: Sendable {
  private(set) var overlap: Overlap
  /// The closure where it is not async: who has run a delivery then goes on with the next one that
  /// was decided.
  let body: (@Sendable (Output) -> Void)?
  /// Has the source's next delivery run at its place, where it is taken from the source.
  let begin: Begin

  typealias Begin = @Sendable (TimerService, any DeliverySource<Output>) -> Void

  init(
    overlap: Overlap = .keepLatest, body: (@Sendable (Output) -> Void)? = nil,
    begin: @escaping Begin
  ) {
    self.overlap = overlap
    self.body = body
    self.begin = begin
  }

  /// The same handler with another rule for runs that would overlap.
  func overlapping(_ overlap: Overlap) -> Handler {
    var handler = self
    handler.overlap = overlap
    return handler
  }

  /// A handler that runs on the library's threads or on a queue.
  init(on place: Delivery, _ body: @escaping @Sendable (Output) -> Void) {
    self.init(Callback(on: place, body))
  }

  /// A handler that runs on the main actor.
  init(on place: MainDelivery, _ body: @escaping @MainActor (Output) -> Void) {
    self.init(Callback(on: place, body))
  }

  /// A handler that is not async; it may have an owner, without which nothing is delivered.
  init(_ callback: Callback<Output>, owner: (@Sendable () -> AnyObject?)? = nil) {
    let place = callback.place
    self.init(body: callback.body) { service, source in
      place.perform(in: service) {
        let held = owner?()
        if owner != nil, held == nil { return source.leave() }
        defer { withExtendedLifetime(held) {} }
        var next = source.take(nil)
        let end = service.now + turnLength
        while let taken = next.take() {
          // A task that waits for the end of a run relies on it that its closure was released.
          let delivery = (consume taken).run()
          next = source.next(after: delivery, until: end)
        }
      }
    }
  }

  /// An async handler, which is given its run.
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

  /// An async handler on the main actor, which is given its run.
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

  /// A handler of an actor, which is not kept alive; it is given its run.
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

  /// A handler of an actor, which is not kept alive.
  init<Owner: Actor>(
    on owner: Owner, overlap: Overlap = .keepLatest,
    _ body: @escaping @Sendable (isolated Owner, Output) async -> Void
  ) {
    self.init(on: owner, overlap: overlap, run: { owner, output, _ in await body(owner, output) })
  }
}

/// How long one delivery after the other is begun at a place, before others have their turn there.
private let turnLength: Nanoseconds = 200_000

/// A closure behind a reference, which can be weak.
final class Held<Thing: Sendable>: Sendable {
  let thing: Thing

  init(_ thing: Thing) {
    self.thing = thing
  }
}

/// A delivery that has begun, and the closure that is to have it, unless that is async.
struct Taken<Output: Sendable>: Sendable {
  let delivery: Decided<Output>
  let body: (@Sendable (Output) -> Void)?

  /// Calls the closure, and releases it.
  consuming func run() -> Decided<Output> {
    body?(delivery.output)
    return delivery
  }
}

/// What hands deliveries to a handler: a tool's pacer.
protocol DeliverySource<Output>: AnyObject, Sendable {
  associatedtype Output: Sendable

  /// Begins with the delivery that has waited longest, nil if it was withdrawn.
  func take(_ run: HandlerRun?) -> Taken<Output>?

  /// Notes the end of a delivery that was taken, and until an instant begins with the next one of
  /// those that were decided before it ended.
  func next(after delivery: Decided<Output>, until end: PacingInstant) -> Taken<Output>?

  /// Drops what was decided, now and later: the actor that was to take it is gone.
  func leave()
}

extension DeliverySource {
  /// Notes the end of a delivery that was taken.
  func ended(_ delivery: Decided<Output>) { _ = next(after: delivery, until: .distantPast) }
}
