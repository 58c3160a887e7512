/// Runs `body` in a task of its own, with a closure that cancels that task.
package func canceller<Success: Sendable>(
  _ body: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async -> Success
) async -> Success {
  let own = Slot<Task<Success, Never>>()
  let task = Task {
    await body {
      // The task may run before it has a name here.
      while own.value == nil {}
      own.value?.cancel()
    }
  }
  own.put(task)
  return await task.value
}

extension Result where Failure == any Error {
  /// What an async function returns or throws.
  package init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
