import Pacing
import PacingTesting

/// One call of `retry` whose attempts take some time and fail.
struct RetryRun {
  private struct Failure: Error {}

  private let stage = Stage()
  private let record: Record

  /// An endless retry without a pause would never yield the thread; it is stopped here.
  private static let limit = 10_000

  init(_ policy: RetryPolicy, duration: Duration, succeedsAtAttempt winner: Int = .max) {
    let clock = stage.clock
    let record = Record(clock)
    self.record = record
    stage.start {
      do {
        try await retry(policy, clock: clock) { attempt in
          record.note(.text("attempt"))
          if attempt.number == winner { return }
          if attempt.number == Self.limit { try await clock.sleep(until: .distantFuture) }
          if duration > .zero { try await clock.sleep(for: duration) }
          throw Failure()
        }
      } catch {}
    }
    stage.settle()
  }

  /// The number of attempts, once the retry has given up.
  func attempts() throws(Obstacle) -> Int {
    try stage.play(until: nil)
    return record.count
  }
}
