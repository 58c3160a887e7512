/// The decisions of a mailbox, a pure value: no lock, no continuation.
///
/// A consumer looks twice: once before it suspends, and once when it has something to be resumed
/// by, because an element or the end may come in between.
///
/// Invariant: while a consumer waits, no element does, and the stream has not ended.
package struct MailboxState<Element, Consumer> {
  /// The answer to a consumer.
  package enum Readiness {
    case element(Element)
    case ended
    case none
  }

  /// The fate of an offered element.
  package enum Offer {
    /// The caller resumes the consumer with the element.
    case handed(Element, to: Consumer)
    /// The element waits; `replaced` is one that waited and was merged into it.
    case kept(replaced: Element?)
    /// The stream has ended.
    case refused
  }

  private var waiting: MailboxBuffer<Element>
  private var hasEnded = false
  /// Waiting consumers, FIFO.
  private var consumers = FIFO<Consumer>()
  /// Transforms the first element; nil once that has come.
  private var first: (@Sendable (Element) -> Element)?

  package init(
    first: (@Sendable (Element) -> Element)? = nil,
    merge: (@Sendable (_ older: Element, _ newer: Element) -> Element)?,
    key: (@Sendable (Element) -> AnyHashable)? = nil,
    isRepeat: @escaping @Sendable (Element, Element) -> Bool = { _, _ in false }
  ) {
    waiting = MailboxBuffer(merge: merge, key: key, isRepeat: isRepeat)
    self.first = first
  }

  /// The number of elements not taken.
  package var count: Int { waiting.count }

  /// The number of elements that are kept: of those that repeat each other, one.
  package var keptCount: Int { waiting.keptCount }

  /// Hands the element to the consumer that has waited longest, or keeps it.
  package mutating func offer(_ element: Element) -> Offer {
    let element = first.take()?(element) ?? element
    if let consumer = consumers.popFirst() { return .handed(element, to: consumer) }
    return hasEnded ? .refused : .kept(replaced: waiting.add(element))
  }

  /// The first look.
  package mutating func take() -> Readiness {
    guard let element = waiting.popFirst() else { return hasEnded ? .ended : .none }
    return .element(element)
  }

  /// The second look: the consumer waits if there is nothing for it.
  package mutating func take(orWait consumer: Consumer) -> Readiness {
    let readiness = take()
    if case .none = readiness { consumers.append(consumer) }
    return readiness
  }

  /// Removes and returns elements not taken, the oldest first: all, or those that match.
  package mutating func withdraw(where isIncluded: (Element) -> Bool = { _ in true }) -> [Element] {
    waiting.takeAll(where: isIncluded)
  }

  /// Ends the stream after the elements that wait.
  ///
  /// - Returns: The consumers, to be resumed with nil.
  package mutating func end() -> [Consumer] {
    hasEnded = true
    return consumers.takeAll()
  }
}
