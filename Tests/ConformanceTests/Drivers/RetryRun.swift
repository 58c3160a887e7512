import Pacing
import PacingTesting

/// One call of `retry` whose attempts take some time and fail.
final class RetryRun {
  private struct Failure: Error {}

  private let stage = Stage()
  private let record: Record
  private let task: Task<Void, Never>
  private var isCancelled = false

  /// An endless retry without a pause would never yield the thread; it is stopped here.
  private static let limit = 10_000

  init(_ policy: RetryPolicy, duration: Duration, succeedsAtAttempt winner: Int = .max) {
    let clock = stage.clock
    let record = Record(clock)
    self.record = record
    task = stage.start {
      do {
        try await retry(policy, clock: clock) { attempt in
          record.note(.text("attempt"))
          if attempt.number == winner { return }
          if attempt.number == Self.limit { try await clock.sleep(until: .distantFuture) }
          if duration > .zero { try await clock.sleep(for: duration) }
          throw Failure()
        }
      } catch {
        record.noteEnd()
      }
    }
    stage.settle()
  }

  /// Cancels the task, after which its end is not recorded.
  func cancel(at instant: Nanoseconds) throws(Obstacle) {
    try stage.approach(instant)
    task.cancel()
    isCancelled = true
    stage.settle()
  }

  /// Plays until the retry gives up.
  func play(until horizon: Nanoseconds?) throws(Obstacle) -> Outcome {
    try stage.play(until: horizon)
    var outcome = Outcome(rows: record.all)
    if let end = record.end, !isCancelled { outcome.end = Outcome.Row(at: end, .text("error")) }
    return outcome
  }
}
