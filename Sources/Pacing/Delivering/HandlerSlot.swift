/// Where a tool's handler is set, in terms of the values that users see.
public struct _HandlerSlot<Value: Sendable>: Sendable {
  let slot: any HandlerSlot<Value>

  init<State>(
    _ pacer: Pacer<State>, overlap: Overlap? = nil,
    showing show: @escaping @Sendable (State.Output) -> Value
  ) {
    slot = PacerSlot(pacer: pacer, overlap: overlap, show: show)
  }
}

/// A handler slot over a pacer with any state.
protocol HandlerSlot<Value>: Sendable {
  associatedtype Output: Sendable
  associatedtype Value: Sendable

  /// Converts an output to what users see.
  var show: @Sendable (Output) -> Value { get }

  /// Sets the handler; the tool must not have one.
  func set(_ handler: Handler<Output>)
}

private struct PacerSlot<State: PacedState, Value: Sendable>: HandlerSlot {
  let pacer: Pacer<State>
  /// The overlap for every handler; nil for the handler's own.
  let overlap: Overlap?
  let show: @Sendable (State.Output) -> Value

  func set(_ handler: Handler<State.Output>) {
    pacer.setHandler(overlap.map(handler.overlapping) ?? handler)
  }
}

extension HandlerSlot {
  func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, on place: Delivery, _ body: @escaping @Sendable (Owner, Value) -> Void
  ) {
    set(Handler(on: place, for: owner) { [show] owner, output in body(owner, show(output)) })
  }

  func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, on place: MainDelivery,
    _ body: @escaping @MainActor (Owner, Value) -> Void
  ) {
    set(Handler(on: place, for: owner) { [show] owner, output in body(owner, show(output)) })
  }

  func deliver<Owner: AnyObject & Sendable>(
    to owner: Owner, on place: MainDelivery, overlap: Overlap,
    _ body: @escaping @MainActor (Owner, Value) async -> Void
  ) {
    set(
      Handler(on: place, for: owner, overlap: overlap) { [show] owner, output in
        await body(owner, show(output))
      })
  }

  func deliver<Owner: Actor>(
    to owner: Owner, overlap: Overlap,
    _ body: @escaping @Sendable (isolated Owner, Value) async -> Void
  ) {
    let shown: @Sendable (isolated Owner, Output) async -> Void = { [show] owner, output in
      await body(owner, show(output))
    }
    set(Handler(on: owner, overlap: overlap, shown))
  }
}
