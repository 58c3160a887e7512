extension Handler {
  /// A handler on the library's threads or on a queue, for a weakly held owner.
  init<Owner: AnyObject & Sendable>(
    on place: Delivery, for owner: Owner, _ body: @escaping @Sendable (Owner, Output) -> Void
  ) {
    let callback = Callback(on: place) { [weak owner] (output: Output) in
      if let owner { body(owner, output) }
    }
    self.init(callback) { [weak owner] in owner }
  }

  /// A handler on the main actor, for a weakly held owner.
  init<Owner: AnyObject & Sendable>(
    on place: MainDelivery, for owner: Owner,
    _ body: @escaping @MainActor (Owner, Output) -> Void
  ) {
    let callback = Callback(on: place) { [weak owner] (output: Output) in
      if let owner { body(owner, output) }
    }
    self.init(callback) { [weak owner] in owner }
  }

  /// An async handler on the main actor, for a weakly held owner.
  init<Owner: AnyObject & Sendable>(
    on place: MainDelivery, for owner: Owner, overlap: Overlap,
    _ body: @escaping @MainActor (Owner, Output) async -> Void
  ) {
    self.init(
      on: place, for: owner, overlap: overlap,
      run: { owner, output, _ in await body(owner, output) })
  }

  /// An async handler on the main actor that receives its run, for a weakly held owner.
  init<Owner: AnyObject & Sendable>(
    on _: MainDelivery, for owner: Owner, overlap: Overlap,
    run body: @escaping @MainActor (Owner, Output, HandlerRun) async -> Void
  ) {
    let held = Held(body)
    self.init(overlap: overlap) { [weak owner] service, source in
      HandlerRun.begin(in: service) { [weak owner, weak held] run in
        guard let owner else { return source.leave() }
        await Self.deliver(from: source, run, to: MainActor.shared) { [weak held] _, output in
          await held?.thing(owner, output, run)
        }
      }
    }
  }
}
