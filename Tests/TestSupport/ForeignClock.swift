import Pacing
import PacingTesting

/// A clock unknown to the library, moved by hand.
final class ForeignClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  let base = ManualClock()
  let cancelledSleeps = Counter()

  var now: Instant { Instant(offset: .seconds(5000) + base.wallTime) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    do {
      try await base.sleep(until: base.now.advanced(by: now.duration(to: deadline)))
    } catch {
      cancelledSleeps.add()
      throw error
    }
  }

  /// Advances time once a task sleeps, as one always does while something is pending.
  func advance(by duration: Duration) async {
    await base.sleepers(atLeast: 1)
    base.advance(by: duration)
  }
}
