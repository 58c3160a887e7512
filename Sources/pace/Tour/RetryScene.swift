import Pacing

/// A call that fails four times, retried by three clients.
struct RetryScene: Scene {
  let title = "retry"
  let call = """
    try await retry(RetryPolicy(backoff: .exponential(from: .milliseconds(100)), \
    maximumAttempts: 5)) { _ in try await fetch() }
    """
  let explanation = """
    Tries again after a pause that doubles. Jitter makes each pause random, so that clients that \
    failed together do not come back together.
    """
  let lanes = ["no jitter", "full jitter, A", "full jitter, B"]
  let length = Duration.milliseconds(1_700)

  private struct Unavailable: Error {}

  func play(into recorder: SceneRecorder) async throws {
    let backoff = Backoff.exponential(from: .milliseconds(100)).capped(at: .milliseconds(800))
    try await withThrowingTaskGroup { group in
      for lane in lanes.indices {
        let policy = RetryPolicy(
          backoff: lane == 0 ? backoff : backoff.jittered(.full), maximumAttempts: 5)
        group.addTask {
          try await retry(policy) { attempt in
            try fetch(attempt.number, in: lane, recorder)
          }
        }
      }
      try await group.waitForAll()
    }
    try await recorder.wait(until: length)
  }

  private func fetch(_ attempt: Int, in lane: Int, _ recorder: SceneRecorder) throws {
    guard attempt == 5 else {
      recorder.note("\(attempt)×", "attempt \(attempt) fails", in: lane, as: .refused)
      throw Unavailable()
    }
    recorder.note("\(attempt)✓", "attempt \(attempt) succeeds", in: lane, as: .delivered)
  }

  func summary(of recorder: SceneRecorder) -> String {
    let failures = lanes.indices.map { recorder.count(in: $0, as: .refused) }.reduce(0, +)
    let successes = lanes.indices.map { recorder.count(in: $0, as: .delivered) }.reduce(0, +)
    return "\(failures) failures received, \(successes) results delivered to \(lanes.count) clients"
  }
}
