/// Runs `body` in a separate task, with a closure that cancels that task.
package func canceller<Success: Sendable>(
  _ body: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async -> Success
) async -> Success {
  let own = Slot<Task<Success, Never>>()
  let task = Task {
    await body {
      // The task may start before `own` holds it.
      while own.value == nil {}
      own.value?.cancel()
    }
  }
  own.put(task)
  return await task.value
}

extension Result where Failure == any Error {
  /// Captures the result or the error of an async function.
  package init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
