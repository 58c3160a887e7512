/// What every tool with a handler has in common: the handler may be given later, with its owner.
///
/// A class or an actor that keeps a tool in a `let` cannot name itself in the tool's initialiser.
/// It makes the tool without a handler, and gives it one at the end of its own initialiser:
///
/// ```swift
/// @MainActor @Observable
/// final class SearchModel {
///   private(set) var results: [String] = []
///   private let typing = Debouncer<String>(for: .milliseconds(300))
///
///   init() {
///     typing.deliver(to: self) { model, text in model.results = find(text) }
///   }
/// }
/// ```
///
/// ## Concurrency
/// The tool does not keep the owner alive, and the handler is given it: no `[weak self]`. If the
/// owner is gone when a delivery begins, the delivery is dropped (`.noConsumer`), the handler is
/// released, and a timer ends. A handler is set once; values decided before it is set go to the
/// streams only.
public protocol DeliveringTool<Value>: AnyObject, Sendable {
  /// What the tool delivers.
  associatedtype Value: Sendable

  /// The place of the handler; a tool made of another returns that tool's.
  var _handlerSlot: _HandlerSlot<Value> { get }
}

extension DeliveringTool {
  /// Sets a handler that runs on the main actor.
  ///
  /// - Parameters:
  ///   - owner: The object that the handler works for.
  ///   - handler: The closure called with the owner and each value.
  /// - Precondition: The tool has no handler.
  @MainActor
  public func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, handler: @escaping @MainActor (Owner, Value) -> Void
  ) {
    _handlerSlot.slot.deliver(to: owner, on: .main, handler)
  }

  /// Sets an async handler that runs on the main actor.
  ///
  /// - Parameters:
  ///   - owner: The object that the handler works for.
  ///   - overlap: What happens when a value falls due while the handler runs.
  ///   - handler: The closure called with the owner and each value.
  /// - Precondition: The tool has no handler.
  @MainActor
  public func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, overlap: Overlap = .keepLatest,
    handler: @escaping @MainActor (Owner, Value) async -> Void
  ) {
    _handlerSlot.slot.deliver(to: owner, on: .main, overlap: overlap, handler)
  }

  /// Sets a handler that runs inside an actor.
  public func deliver<Owner: Actor>(
    to owner: Owner, handler: @escaping @Sendable (isolated Owner, Value) -> Void
  ) {
    _handlerSlot.slot.deliver(to: owner, overlap: .keepLatest) { owner, value in
      handler(owner, value)
    }
  }

  /// Sets an async handler that runs inside an actor.
  public func deliver<Owner: Actor>(
    to owner: Owner, overlap: Overlap = .keepLatest,
    handler: @escaping @Sendable (isolated Owner, Value) async -> Void
  ) {
    _handlerSlot.slot.deliver(to: owner, overlap: overlap, handler)
  }

  /// Sets a handler that runs on the library's threads or on a queue.
  ///
  /// - Parameters:
  ///   - owner: The object that the handler works for.
  ///   - delivery: The place where the handler runs.
  ///   - handler: The closure called with the owner and each value.
  /// - Precondition: The tool has no handler.
  public func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, on delivery: Delivery, handler: @escaping @Sendable (Owner, Value) -> Void
  ) {
    _handlerSlot.slot.deliver(to: owner, on: delivery, handler)
  }
}
