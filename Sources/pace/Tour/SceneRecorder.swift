import Pacing
import Synchronization

/// The events of a scene, from any thread.
///
/// ## Concurrency
/// Thread-safe: the tools' handlers add events while the stage reads them.
final class SceneRecorder: Sendable {
  private let clock = DispatchClock()
  private let start: PacingInstant
  private let marks = Mutex([Mark]())

  /// Starts the scene's time.
  init() {
    start = clock.now
  }

  /// The time since the start of the scene.
  var elapsed: Duration { start.duration(to: clock.now) }

  /// All events, in the order in which they were noted.
  var all: [Mark] { marks.withLock { $0 } }

  /// Notes an event at the present time.
  func note(_ sign: String, _ text: String, in lane: Int, as tone: Tone) {
    marks.withLock { marks in
      let time = start.duration(to: clock.now)
      marks.append(Mark(lane: lane, time: time, sign: sign, text: text, tone: tone))
    }
  }

  /// Waits until `time` after the start of the scene.
  ///
  /// - Throws: `CancellationError` if the tour is interrupted.
  func wait(until time: Duration) async throws {
    try await clock.sleep(until: start.advanced(by: time))
  }

  /// The number of marks in a lane, of one tone or of all.
  func count(in lane: Int, as tone: Tone? = nil) -> Int {
    all.count { $0.lane == lane && (tone == nil || $0.tone == tone) }
  }
}
