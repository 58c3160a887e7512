/// A clock that runs faster than the continuous one.
struct FastClock: Clock {
  struct Instant: InstantProtocol {
    let sinceStart: Duration

    func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }

    func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

    static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }
  }

  let factor: Int
  private let start = ContinuousClock.now

  init(factor: Int) {
    self.factor = factor
  }

  var now: Instant { Instant(sinceStart: start.duration(to: .now) * factor) }

  var minimumResolution: Duration { .nanoseconds(factor) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await ContinuousClock().sleep(
      until: start + deadline.sinceStart / factor, tolerance: tolerance.map { $0 / factor })
  }
}
