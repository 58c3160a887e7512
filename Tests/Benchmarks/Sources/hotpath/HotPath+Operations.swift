import Pacing

extension HotPath {
  static let operations: Paths = [
    "withTimeout": { inTask { try await withTimeout(long) {} } },
    "retry": {
      let policy = RetryPolicy(maximumAttempts: 3, backoff: .constant(long))
      return inTask { try await retry(policy) {} }
    },
  ]
}
