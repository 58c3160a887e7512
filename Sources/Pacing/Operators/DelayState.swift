/// A FIFO of elements, each with the instant at which it leaves.
package struct DelayState<Element: Sendable>: PacedState {
  /// What an element waits for.
  package enum Wait: Sendable {
    case span(Nanoseconds)
    case until(PacingInstant)

    func end(from now: PacingInstant) -> PacingInstant {
      switch self {
      case .span(let span): now + span
      case .until(let instant): max(now, instant)
      }
    }
  }

  private let wait: Wait
  private let includesEnd: Bool
  private var line = FIFO<(element: Element, due: PacingInstant)>()
  /// The instant of the end, unless elements wait beyond it; nil before it is known.
  private var end: PacingInstant?
  package private(set) var isFinished = false

  /// Makes an empty state; `includesEnd` if the end waits as an element does.
  package init(_ wait: Wait, includingEnd includesEnd: Bool) {
    self.wait = wait
    self.includesEnd = includesEnd
  }

  package static var isMergeable: Bool { false }

  package var outlivesItsTool: Bool { end != nil }

  package var deadline: PacingInstant {
    line.first?.due ?? (isFinished ? nil : end) ?? .distantFuture
  }

  /// Takes an element; one that comes after the end is dropped.
  package mutating func send(_ element: Element, at now: PacingInstant) {
    if end == nil { line.append((element, wait.end(from: now))) }
  }

  package mutating func due(at now: PacingInstant) -> Element? {
    if let element = line.popFirst()?.element { return element }
    isFinished = true
    return nil
  }

  /// Drops everything that waits, and returns the newest.
  package mutating func cancel() -> Element? { cancelAll().last }

  package mutating func cancelAll(part: Int) -> [Element] { line.takeAll().map { $0.element } }

  /// Takes no more elements; those that wait keep their time, leave now, or are dropped and
  /// returned.
  package mutating func finish(_ finish: Finish, at now: PacingInstant) -> [Element] {
    end = finish == .deliver && includesEnd ? wait.end(from: now) : now
    guard finish != .deliver else { return [] }
    let waiting = cancelAll()
    guard finish == .atOnce else { return waiting }
    for element in waiting { line.append((element, now)) }
    return []
  }
}
