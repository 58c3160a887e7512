/// A FIFO of elements, each with the instant at which it leaves.
struct DelayState: PacedState {
  typealias Output = AnyValue

  private let delay: Nanoseconds
  private let earliest: PacingInstant
  private let includesEnd: Bool
  private var line = FIFO<(element: AnyValue, due: PacingInstant)>()
  /// The instant of the end, unless elements wait beyond it; nil before it is known.
  private var end: PacingInstant?
  private(set) var isFinished = false

  /// Makes an empty state: an element leaves `delay` after its arrival and at `earliest` or later,
  /// and so does the end if `includesEnd`.
  init(_ delay: Nanoseconds, notBefore earliest: PacingInstant, includingEnd includesEnd: Bool) {
    self.delay = delay
    self.earliest = earliest
    self.includesEnd = includesEnd
  }

  private func leaving(_ arrival: PacingInstant) -> PacingInstant { max(arrival + delay, earliest) }

  static var mailboxRule: MailboxRule<AnyValue> { .all }

  var outlivesItsTool: Bool { end != nil }

  var deadline: PacingInstant {
    line.first?.due ?? (isFinished ? nil : end) ?? .distantFuture
  }

  /// Takes an element; one that comes after the end is dropped.
  mutating func send(_ element: AnyValue, at now: PacingInstant) {
    if end == nil { line.append((element, leaving(now))) }
  }

  mutating func due(at now: PacingInstant) -> AnyValue? {
    if let element = line.popFirst()?.element { return element }
    isFinished = true
    return nil
  }

  mutating func cancel() -> AnyValue? { cancelAll().last }

  mutating func cancelAll() -> [AnyValue] { line.takeAll().map { $0.element } }

  /// Takes no more elements; those that wait keep their time, leave now, or are dropped and
  /// returned.
  mutating func finish(_ finish: Finish, at now: PacingInstant) -> [AnyValue] {
    end = finish == .whenDue && includesEnd ? leaving(now) : now
    guard finish != .whenDue else { return [] }
    let waiting = cancelAll()
    guard finish == .atOnce else { return waiting }
    for element in waiting { line.append((element, now)) }
    return []
  }
}
