package import Pacing

extension TokenBucket {
  /// Starts a task that acquires one, and says whether it was granted before it was cancelled.
  ///
  /// Any other refusal is thrown.
  package func acquiring() -> Task<Bool, any Error> {
    Task {
      do {
        try await acquire()
        return true
      } catch is CancellationError {
        return false
      }
    }
  }
}
