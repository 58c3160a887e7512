extension KeyedPacingTool {
  /// Sets a handler that runs on the main actor; see ``DeliveringTool``.
  ///
  /// - Parameters:
  ///   - owner: The object that the handler works for; it is held weakly.
  ///   - handler: The closure called with the owner, a key and each of its values.
  /// - Precondition: The tool has no handler.
  @MainActor
  public func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, handler: @escaping @MainActor (Owner, Key, Value) -> Void
  ) {
    slot.deliver(to: owner, on: .main) { handler($0, $1.key, $1.value) }
  }

  /// As `deliver(to:handler:)` on the main actor, with an async handler.
  @MainActor
  public func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, handler: @escaping @MainActor (Owner, Key, Value) async -> Void
  ) {
    slot.deliver(to: owner, on: .main, overlap: .unlimited) { await handler($0, $1.key, $1.value) }
  }

  /// As `deliver(to:handler:)`, with a handler that runs inside an actor.
  public func deliver<Owner: Actor>(
    to owner: Owner, handler: @escaping @Sendable (isolated Owner, Key, Value) -> Void
  ) {
    slot.deliver(to: owner, overlap: .unlimited) { handler($0, $1.key, $1.value) }
  }

  /// As `deliver(to:handler:)`, with an async handler that runs inside an actor.
  public func deliver<Owner: Actor>(
    to owner: Owner, handler: @escaping @Sendable (isolated Owner, Key, Value) async -> Void
  ) {
    slot.deliver(to: owner, overlap: .unlimited) { await handler($0, $1.key, $1.value) }
  }

  /// As `deliver(to:handler:)`, with a handler that runs on the library's threads or on your queue.
  public func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, on delivery: Delivery,
    handler: @escaping @Sendable (Owner, Key, Value) -> Void
  ) {
    slot.deliver(to: owner, on: delivery) { handler($0, $1.key, $1.value) }
  }

  /// The handler slot; the state itself limits each key to one run at a time.
  private var slot: any HandlerSlot<KeyedValue<Key, Value>> {
    core.pacer.handlerSlot(overlap: .unlimited) { (output: AnyKeyedValue) in
      KeyedValue<Key, Value>(key: output.key.get(), value: output.value.get())
    }.slot
  }
}
