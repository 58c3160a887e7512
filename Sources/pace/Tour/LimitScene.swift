import Pacing
import Synchronization

/// Requests to a token bucket that refuses, and to one that lets them wait.
struct LimitScene: Scene {
  let title = "TokenBucket"
  let call = "TokenBucket(rate: .perSecond(10), burst: 3)"
  let explanation = """
    Lets through what the rate allows, and a short burst. tryAcquire() answers at once; \
    acquire() waits for its turn, first come, first served, and loses nothing.
    """
  let lanes = ["requests", "tryAcquire()", "tokens", "acquire()"]
  let length = Duration.milliseconds(2_300)

  func play(into recorder: SceneRecorder) async throws {
    let refusing = TokenBucket(rate: .perSecond(10), burst: 3)
    let patient = TokenBucket(rate: .perSecond(10), burst: 3)
    let level = Mutex<Int?>(nil)
    let gauge = DispatchTimer.scheduled(.every(.milliseconds(100), first: .now)) { _ in
      let tokens = refusing.available
      let isNew = level.withLock { level in
        defer { level = tokens }
        return level != tokens
      }
      if isNew { recorder.note("\(tokens)", "\(tokens) left", in: 2, as: .track) }
    }
    try await Trace.log.play(on: recorder) { _, index in
      let name = Self.letter(index)
      recorder.note(name, "request \(name)", in: 0, as: .input)
      if refusing.tryAcquire() {
        recorder.note(name, "\(name) may go", in: 1, as: .delivered)
      } else {
        recorder.note("×", "\(name) is refused", in: 1, as: .refused)
      }
      _ = patient.acquire { _ in
        recorder.note(name, "\(name) may go now", in: 3, as: .delivered)
      }
    }
    try await recorder.wait(until: length)
    gauge.cancel()
  }

  func summary(of recorder: SceneRecorder) -> String {
    """
    \(recorder.count(in: 0)) requests received, \(recorder.count(in: 1, as: .delivered)) allowed \
    and \(recorder.count(in: 1, as: .refused)) refused; all \(recorder.count(in: 3)) let through \
    by waiting
    """
  }
}
