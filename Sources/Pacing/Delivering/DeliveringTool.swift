/// A tool with a handler, which can be set later, together with its owner.
///
/// A class or an actor that keeps a tool in a `let` cannot refer to itself in the tool's
/// initialiser. Make the tool without a handler, and set it at the end of the owner's initialiser:
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
/// The tool holds the owner weakly and passes it to the handler, which needs no `[weak self]`. If
/// the owner is gone when a delivery begins, the delivery is dropped (`.noConsumer`), the handler
/// is released, and a timer ends. A handler is set once; values decided before that go only to the
/// streams.
public protocol DeliveringTool<Value>: AnyObject, Sendable {
  /// The type of the delivered values.
  associatedtype Value: Sendable

  /// The handler slot; a tool composed of another returns that tool's.
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

  /// As `deliver(to:handler:)`, with an async handler; `overlap` specifies what happens when a
  /// value falls due while it runs.
  @MainActor
  public func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, overlap: Overlap = .keepLatest,
    handler: @escaping @MainActor (Owner, Value) async -> Void
  ) {
    _handlerSlot.slot.deliver(to: owner, on: .main, overlap: overlap, handler)
  }

  /// As `deliver(to:handler:)`, with a handler that runs inside an actor.
  public func deliver<Owner: Actor>(
    to owner: Owner, handler: @escaping @Sendable (isolated Owner, Value) -> Void
  ) {
    _handlerSlot.slot.deliver(to: owner, overlap: .keepLatest) { owner, value in
      handler(owner, value)
    }
  }

  /// As `deliver(to:overlap:handler:)`, with an async handler that runs inside an actor.
  public func deliver<Owner: Actor>(
    to owner: Owner, overlap: Overlap = .keepLatest,
    handler: @escaping @Sendable (isolated Owner, Value) async -> Void
  ) {
    _handlerSlot.slot.deliver(to: owner, overlap: overlap, handler)
  }

  /// As `deliver(to:handler:)`, with a handler that runs on the library's threads or on your queue.
  public func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, on delivery: Delivery, handler: @escaping @Sendable (Owner, Value) -> Void
  ) {
    _handlerSlot.slot.deliver(to: owner, on: delivery, handler)
  }
}
