/// A tool that delivers values: to a handler, to streams, or both.
///
/// A handler is attached once, by one of the forms of `handle`, which differ in where it runs. They
/// return the tool. An owner is held weakly and passed to the handler:
///
/// ```swift
/// let search = Debouncer<String>(for: .milliseconds(300)).handle(on: .main) { show($0) }
/// typing.handle(with: self, on: .main) { model, text in model.results = find(text) }
/// ```
///
/// ## Concurrency
/// Thread-safe. A handler runs one delivery at a time, unless an async one has another ``Overlap``,
/// and never on the stack of the tool's caller. If the owner or actor is gone when a delivery
/// begins, the delivery is dropped (`.noConsumer`), the handler is released, and a timer ends.
/// Values decided before there is a handler go only to the streams. Attaching a second handler
/// stops the program.
public protocol DeliveringTool<Delivered>: AnyObject, Sendable {
  /// The type of the delivered values.
  associatedtype Delivered: Sendable

  /// Attaches a handler that a form of `handle` has made; a tool built on another passes it on.
  func attach(_ handler: Handler<Delivered>)

  /// A stream of the values from now on; each call is a separate subscription.
  ///
  /// A slow consumer receives the newest value, or the newest of each key, or every batch. The
  /// stream ends with the tool, which it does not keep alive. Cancelling the task or releasing the
  /// stream ends the subscription immediately; so does leaving the loop, if nothing else holds the
  /// stream.
  func ticks() -> AsyncStream<Delivered>

  /// Sets a closure that is called with each value that is not delivered, and the reason; it
  /// replaces an earlier one. The library's threads call it, several at a time.
  ///
  /// Values that `cancel()` returns are included, values merged into others are not. Without a
  /// handler, a value counts as delivered once it is in the streams; what `cancel()` takes out of
  /// them, or a later value replaces there, is not reported.
  func onDrop(_ observer: @escaping @Sendable (Delivered, DropReason) -> Void)
}

extension DeliveringTool {
  /// Attaches a handler that runs on the library's threads or on a queue; returns the tool.
  @discardableResult
  public func handle(
    on place: Place = .shared, _ handler: @escaping @Sendable (Delivered) -> Void
  ) -> Self {
    attached(Handler(Callback(on: place, handler)))
  }

  /// Attaches a handler that runs on the main actor.
  @discardableResult
  public func handle(
    on place: Place.Main, _ handler: @escaping @MainActor (Delivered) -> Void
  ) -> Self {
    attached(Handler(Callback(on: place, handler)))
  }

  /// Attaches an async handler, which runs in a task of its own for each value; see ``Overlap``.
  @discardableResult
  public func handle(
    overlap: Overlap = .keepLatest, _ handler: @escaping @Sendable (Delivered) async -> Void
  ) -> Self {
    attached(Handler(overlap) { value, _ in await handler(value) })
  }

  /// Attaches an async handler that runs on the main actor.
  @discardableResult
  public func handle(
    on _: Place.Main, overlap: Overlap = .keepLatest,
    _ handler: @escaping @MainActor (Delivered) async -> Void
  ) -> Self {
    attached(Handler(overlap, at: .taskOnMainActor) { value, _ in await handler(value) })
  }

  /// Attaches a handler that runs inside an actor, which the tool does not keep alive.
  ///
  /// ```swift
  /// saves.handle(in: self) { store, document in store.write(document) }
  /// ```
  @discardableResult
  public func handle<Owner: Actor>(
    in actor: Owner, overlap: Overlap = .keepLatest,
    _ handler: @escaping @Sendable (isolated Owner, Delivered) async -> Void
  ) -> Self {
    attached(Handler(overlap, at: .taskOnOwner, with: actor) { await handler($0, $1) })
  }

  /// Attaches a handler for an owner that the tool does not keep alive.
  @discardableResult
  public func handle<Owner: AnyObject & Sendable>(
    with owner: Owner, on place: Place = .shared,
    _ handler: @escaping @Sendable (Owner, Delivered) -> Void
  ) -> Self {
    let callback = Callback(on: place) { [weak owner] (value: Delivered) in
      if let owner { handler(owner, value) }
    }
    return attached(Handler(callback, with: owner))
  }

  /// Attaches a handler on the main actor, for an owner that the tool does not keep alive.
  @discardableResult
  public func handle<Owner: AnyObject & Sendable>(
    with owner: Owner, on place: Place.Main,
    _ handler: @escaping @MainActor (Owner, Delivered) -> Void
  ) -> Self {
    let callback = Callback(on: place) { [weak owner] (value: Delivered) in
      if let owner { handler(owner, value) }
    }
    return attached(Handler(callback, with: owner))
  }

  /// Attaches an async handler for an owner that the tool does not keep alive.
  @discardableResult
  public func handle<Owner: AnyObject & Sendable>(
    with owner: Owner, overlap: Overlap = .keepLatest,
    _ handler: @escaping @Sendable (Owner, Delivered) async -> Void
  ) -> Self {
    attached(Handler(overlap, with: owner) { await handler($0, $1) })
  }

  /// Attaches an async handler on the main actor, for an owner that the tool does not keep alive.
  @discardableResult
  public func handle<Owner: AnyObject & Sendable>(
    with owner: Owner, on _: Place.Main, overlap: Overlap = .keepLatest,
    _ handler: @escaping @MainActor (Owner, Delivered) async -> Void
  ) -> Self {
    attached(Handler(overlap, at: .taskOnMainActor, with: owner) { await handler($0, $1) })
  }

  private func attached(_ handler: Handler<Delivered>) -> Self {
    attach(handler)
    return self
  }
}
