import Pacing

extension HotPath {
  static let operations: Paths = [
    "withTimeout": { inTask { try await withTimeout(long) {} } },
    "retry": {
      let policy = RetryPolicy(backoff: .constant(long), maximumAttempts: 3)
      return inTask { await retry(policy) {} }
    },
  ]
}
