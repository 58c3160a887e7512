import Pacing
import PacingTesting

/// One `acquire` in a task, played to its end; time advances as needed.
struct BlockingAcquire {
  /// Whether the tokens were spent.
  let isGranted: Bool

  /// How long the task waited.
  let waited: Nanoseconds

  init(
    _ limiter: some LimitingTool, cost: Int, within limit: Nanoseconds? = nil,
    cancelledAt cancellation: Nanoseconds? = nil, beforeItBegins: Bool = false, on stage: Stage
  ) throws(Obstacle) {
    let start = stage.now
    var cancellation = cancellation
    let result = Locked<Bool?>(nil)
    let task = stage.start {
      let isGranted: Bool
      do {
        try await limiter.acquire(cost, within: limit.map(Duration.nanoseconds))
        isGranted = true
      } catch {
        isGranted = false
      }
      result.withLock { $0 = isGranted }
    }
    if beforeItBegins { task.cancel() }
    stage.settle()
    while result.withLock({ $0 }) == nil {
      let next = stage.nextDue
      // A cancellation wins over a grant at the same instant.
      if let instant = cancellation, instant <= next {
        try stage.move(to: instant, beforeWhatIsDue: true)
        task.cancel()
        cancellation = nil
        stage.settle()
      } else if next < .never {
        try stage.move(to: next)
      } else {
        break
      }
    }
    guard let isGranted = result.withLock({ $0 }) else { throw .broken("an acquire never ends") }
    self.isGranted = isGranted
    waited = stage.now - start
  }
}
