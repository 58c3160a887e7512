import Pacing
import PacingTesting
import TestSupport

/// Tasks that sleep or retry, also a sequence, and are sometimes cancelled.
final class TaskSubject: Subject {
  private enum Outcome {
    static let done = 1_000
    static let cancelled = 1_001
    static let failed = 1_002
  }

  private struct Failure: Error {}

  private var task: Task<Void, Never>?
  /// The time and value of the next event, at the end the outcome.
  private var next: (time: Int, value: Int)?
  private var delay = 0
  private var attempts = 0
  private var whenOver = Outcome.failed
  private var whenCancelled = Outcome.cancelled

  override var dueTime: Int? { next?.time }

  override func settle(at time: Int) {
    while let (due, value) = next, due <= time {
      expect(value, at: time)
      next = nil
      guard value < Outcome.done else { continue }
      if value < attempts {
        next = (time + delay, value + 1)
      } else {
        expect(whenOver, at: time)
      }
    }
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    if let (_, _) = next {
      guard Int.random(in: 0..<3, using: &random) == 0 else { return true }
      task?.cancel()
      next = nil
      expect(whenCancelled, at: now)
      return true
    }
    delay = Int.random(in: 0...15, using: &random)
    attempts = Int.random(in: 1...5, using: &random)
    let wait = Duration.milliseconds(delay)
    (whenOver, whenCancelled) = (Outcome.failed, Outcome.cancelled)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      next = (now + delay, Outcome.done)
      run { [clock] in try await clock.sleep(for: wait) }
    case 1:
      next = (now, 1)
      let policy = RetryPolicy(backoff: .constant(wait), maximumAttempts: attempts)
      run { [clock, journal] in
        try await retry(policy, clock: clock) { attempt in
          journal.note(attempt.number)
          throw Failure()
        }
      }
    default:
      next = (now, 1)
      let policy = RetryPolicy(backoff: .constant(wait), maximumAttempts: attempts)
      run { [clock, journal] in
        let number = Counter()
        let sequence = retrying(policy, clock: clock) { () throws -> AsyncStream<Int> in
          journal.note(number.add())
          throw Failure()
        }
        for try await _ in sequence {}
      }
    }
    settle(at: now)
    return true
  }

  private func run(_ body: @escaping @Sendable () async throws -> Void) {
    task = clock.run { [journal] in
      do {
        try await body()
        journal.note(Outcome.done)
      } catch is CancellationError {
        journal.note(Outcome.cancelled)
      } catch {
        journal.note(Outcome.failed)
      }
    }
  }

  override func end() {
    guard next != nil else { return }
    task?.cancel()
    next = nil
    expect(whenCancelled, at: now)
  }
}
