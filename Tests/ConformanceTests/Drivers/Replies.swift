import Pacing

/// The values that a handler sends back into its tool: after certain values, or one after each.
final class Replies: Sendable {
  private let triggers: [String]
  private let answers: [String]
  private let queue: Locked<[String]>
  private let count = Locked(0)
  private let tool = Locked(Tool())

  // A closure stored directly in a lock would be rewrapped on each access.
  private struct Tool {
    var send: (@Sendable (String) -> Void)?
  }

  init(_ config: Settings) throws(Obstacle) {
    let reentrant = config.values["reentrant"]?.members
    triggers = try Self.list(reentrant?["on"], "reentrant.on")
    answers = try Self.list(reentrant?["submit"], "reentrant.submit")
    queue = Locked(try Self.list(config.values["reentrant_queue"], "reentrant_queue"))
  }

  /// The settings that this type reads.
  static let keys: Set = ["reentrant", "reentrant_queue"]

  /// Sets the destination of replies; nil releases the tool.
  func connect(_ send: (@Sendable (String) -> Void)?) {
    tool.withLock { $0.send = send }
  }

  /// More replies than any scenario needs.
  private static let limit = 10_000

  /// Checks that the replies end.
  func expectAnEnd() throws(Obstacle) {
    if count.withLock({ $0 >= Self.limit }) { throw .broken("it never comes to rest") }
  }

  /// Sends the replies to a delivery.
  func reply(to answer: Answer) {
    guard let send = tool.withLock({ $0.send }) else { return }
    let next = queue.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    let isTriggered =
      switch answer {
      case .text(let text): triggers.contains(text)
      case .batch(let batch): !batch.isEmpty && batch == triggers
      default: false
      }
    for value in (isTriggered ? answers : []) + [next].compactMap(\.self) {
      let isOneTooMany = count.withLock { count in
        count += 1
        return count > Self.limit
      }
      if !isOneTooMany { send(value) }
    }
  }

  private static func list(_ json: JSON?, _ name: String) throws(Obstacle) -> [String] {
    guard let json else { return [] }
    let elements = json.elements ?? [json]
    let texts = elements.compactMap(\.text)
    guard texts.count == elements.count else { throw .malformed("config.\(name) is \(json)") }
    return texts
  }
}
