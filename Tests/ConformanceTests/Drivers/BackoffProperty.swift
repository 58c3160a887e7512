import Pacing

/// Rules that cases state in words, each under the case's id.
enum BackoffProperty: String {
  /// After many draws the delay is constant and never above the cap.
  case levelsOff = "swiftretry.max_extreme"

  init(_ id: String) throws(Obstacle) {
    guard let property = Self(rawValue: id) else { throw .missing("property") }
    self = property
  }

  /// Checks the rule; a rule that holds yields no rows.
  func check(_ backoff: Backoff) throws(Obstacle) -> Outcome {
    switch self {
    case .levelsOff:
      var delays = BackoffDelays(backoff)
      var previous = Nanoseconds.zero
      for _ in 1...128 {
        let delay = delays.next(draw: 1) ?? 0
        guard delay >= previous else { throw .broken("\(delay) ns after \(previous) ns") }
        previous = delay
      }
      for _ in 1...128 where delays.next(draw: 1) != previous {
        throw .broken("the delay is not constant after 128 draws")
      }
      return Outcome()
    }
  }
}
