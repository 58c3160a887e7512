package import Pacing

extension TokenBucket {
  /// Starts a task that acquires one token; its result is false if it was cancelled first.
  ///
  /// The task throws any other refusal.
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
