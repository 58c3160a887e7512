import Pacing

extension HotPath {
  static let operations: Paths = [
    "DispatchTimer.fireNow+next": {
      let timer = DispatchTimer(.every(long))
      timer.start()
      let ticks = timer.ticks()
      return inTask {
        var iterator = ticks.makeAsyncIterator()
        timer.fireNow()
        _ = await iterator.next()
      }
    },
    "withTimeout": { inTask { try await withTimeout(long) {} } },
    "retry": {
      let policy = RetryPolicy(backoff: .constant(long), maximumAttempts: 3)
      return inTask { await retry(policy) {} }
    },
  ]
}
