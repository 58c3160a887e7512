/// Operations as handlers of calls: each runs where a handler of its kind would, and resumes the
/// caller.
extension Handler {
  /// An operation.
  init<Input, Result>(
    overlap: Overlap, operation: @escaping @Sendable (Input) async throws -> Result
  ) where Output == Call<Input, Result> {
    self.init(overlap: overlap, run: { call, run in await call.run(in: run, operation) })
  }

  /// An operation on the main actor.
  init<Input, Result>(
    on place: MainDelivery, overlap: Overlap,
    operation: @escaping @MainActor (Input) async throws -> Result
  ) where Output == Call<Input, Result> {
    self.init(
      on: place, overlap: overlap,
      run: { call, run in await call.run(in: run) { try await operation($0) } })
  }

  /// An operation inside a weakly held actor.
  init<Owner: Actor, Input, Result>(
    on owner: Owner, overlap: Overlap,
    operation: @escaping @Sendable (isolated Owner, Input) async throws -> Result
  ) where Output == Call<Input, Result> {
    self.init(
      on: owner, overlap: overlap,
      run: { owner, call, run in await call.run(in: run) { try await operation(owner, $0) } })
  }

  /// An operation on the main actor, for a weakly held owner.
  init<Owner: AnyObject & Sendable, Input, Result>(
    on place: MainDelivery, for owner: Owner, overlap: Overlap,
    operation: @escaping @MainActor (Owner, Input) async throws -> Result
  ) where Output == Call<Input, Result> {
    self.init(
      on: place, for: owner, overlap: overlap,
      run: { owner, call, run in await call.run(in: run) { try await operation(owner, $0) } })
  }
}
