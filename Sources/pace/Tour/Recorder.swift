import Pacing
import Synchronization

/// What has happened in a scene so far, from whichever thread it happened on.
///
/// ## Concurrency
/// Thread-safe: the tools' handlers write it while the stage reads it.
final class EventRecorder: Sendable {
  private let clock = DispatchClock()
  private let start: PacingInstant
  private let marks = Mutex([Mark]())

  /// Begins the scene's time.
  init() {
    start = clock.now
  }

  /// The time since the scene's beginning.
  var elapsed: Duration { start.duration(to: clock.now) }

  /// Everything that has happened, in the order in which it was noted.
  var all: [Mark] { marks.withLock { $0 } }

  /// Notes what happens now.
  func note(_ sign: String, _ text: String, in lane: Int, as tone: Tone) {
    marks.withLock { marks in
      let time = start.duration(to: clock.now)
      marks.append(Mark(lane: lane, time: time, sign: sign, text: text, tone: tone))
    }
  }

  /// Waits until the scene has lasted so long.
  ///
  /// - Throws: `CancellationError` where the tour is interrupted.
  func wait(until time: Duration) async throws {
    try await clock.sleep(until: start.advanced(by: time))
  }

  /// How many marks a lane has, of all tones or of one.
  func count(in lane: Int, as tone: Tone? = nil) -> Int {
    all.count { $0.lane == lane && (tone == nil || $0.tone == tone) }
  }
}
