import Pacing

extension Backoff {
  /// A constant delay; a negative one counts as zero.
  init(constantOrNone delay: Duration) {
    self = .constant(max(.zero, delay))
  }

  /// A backoff with the delays of a list; repeats the last one unless the list ends the policy.
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
      list.append(Duration.nanoseconds(span))
    }
    guard let last = list.last, !isEnding else {
      self = .list(list)
      return
    }
    self = .custom { [list] retry in retry <= list.count ? list[retry - 1] : last }
  }
}
