import Pacing

extension Backoff {
  /// A constant delay; one that is negative is none.
  init(constantOrNone delay: Duration) {
    self = .constant(max(.zero, delay))
  }

  /// The backoff whose delays are those of a list, the last of which is repeated.
  ///
  /// A list is one if it is constant, or grows by a factor up to a cap.
  init(delays config: Settings) throws(Obstacle) {
    guard let delays = config.values["delays"] else {
      self = .none
      return
    }
    guard let elements = delays.elements else { throw .malformed("config.delays is \(delays)") }
    var spans = [Nanoseconds]()
    for element in elements {
      guard let span = config.unit.nanoseconds(element) else { throw .missing("delay-list") }
      spans.append(max(0, span))
    }
    guard let first = spans.first, let last = spans.last else { throw .missing("delay-list") }
    let base = Duration(nanoseconds: first)
    guard spans.count > 1, first < last else {
      guard spans.allSatisfy({ $0 == first }) else { throw .missing("delay-list") }
      self.init(constantOrNone: base)
      return
    }
    let factor = Double(spans[1]) / Double(first)
    guard first > 0, factor >= 1 else { throw .missing("delay-list") }
    let backoff = Backoff.exponential(from: base, factor: factor)
      .capped(at: Duration(nanoseconds: last))
    var run = BackoffDelays(backoff)
    guard spans.allSatisfy({ $0 == run.nextDelay() }) else { throw .missing("delay-list") }
    self = backoff
  }
}
