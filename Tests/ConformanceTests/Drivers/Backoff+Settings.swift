import Pacing

extension Backoff {
  /// A constant delay; one that is negative is none.
  init(constantOrNone delay: Duration) {
    self = .constant(max(.zero, delay))
  }

  /// The backoff whose delays are those of a list, the last of which is repeated, unless the list
  /// says that the policy ends there.
  init(delays config: Settings) throws(Obstacle) {
    guard let delays = config.values["delays"] else {
      self = .none
      return
    }
    guard let elements = delays.elements else { throw .malformed("config.delays is \(delays)") }
    let isEnding = ["stop", "throw"].contains(elements.last?.text)
    var list = [Duration]()
    for element in isEnding ? elements.dropLast() : elements {
      guard let span = config.unit.nanoseconds(element) else {
        throw .malformed("config.delays is \(delays)")
      }
      list.append(Duration(nanoseconds: span))
    }
    let last = list.last.map(Backoff.init(constantOrNone:))
    self = .list(list)
    if let last, !isEnding { self = then(last) }
  }
}
