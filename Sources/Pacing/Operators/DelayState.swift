/// A FIFO of elements, each with the instant at which it leaves.
struct DelayState: PacedState {
  typealias Output = AnyValue

  /// What an element waits for.
  enum Wait: Sendable {
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
  private var line = FIFO<(element: AnyValue, due: PacingInstant)>()
  /// The instant of the end, unless elements wait beyond it; nil before it is known.
  private var end: PacingInstant?
  private(set) var isFinished = false

  /// Makes an empty state; `includesEnd` if the end waits as an element does.
  init(_ wait: Wait, includingEnd includesEnd: Bool) {
    self.wait = wait
    self.includesEnd = includesEnd
  }

  static var mailboxRule: MailboxRule<AnyValue> { .all }

  var outlivesItsTool: Bool { end != nil }

  var deadline: PacingInstant {
    line.first?.due ?? (isFinished ? nil : end) ?? .distantFuture
  }

  /// Takes an element; one that comes after the end is dropped.
  mutating func send(_ element: AnyValue, at now: PacingInstant) {
    if end == nil { line.append((element, wait.end(from: now))) }
  }

  mutating func due(at now: PacingInstant) -> AnyValue? {
    if let element = line.popFirst()?.element { return element }
    isFinished = true
    return nil
  }

  /// Drops everything that waits, and returns the newest.
  mutating func cancel() -> AnyValue? { cancelAll().last }

  mutating func cancelAll() -> [AnyValue] { line.takeAll().map { $0.element } }

  /// Takes no more elements; those that wait keep their time, leave now, or are dropped and
  /// returned.
  mutating func finish(_ finish: Finish, at now: PacingInstant) -> [AnyValue] {
    end = finish == .whenDue && includesEnd ? wait.end(from: now) : now
    guard finish != .whenDue else { return [] }
    let waiting = cancelAll()
    guard finish == .atOnce else { return waiting }
    for element in waiting { line.append((element, now)) }
    return []
  }
}
