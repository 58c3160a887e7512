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

  // What every element touches comes first, in as few cache lines as possible.
  /// The elements not taken, in order; those that repeat each other are counted.
  package private(set) var line = FIFO<(element: Element, count: Int)>()
  /// The number of elements not taken, without those that may repeat each other.
  package private(set) var singleCount = 0
  /// Whether elements have no keys and do not repeat each other, as is usual.
  private let isPlain: Bool
  package private(set) var hasEnded = false
  private var consumers = FIFO<Consumer>()
  private var rule: MailboxRule<Element>
  /// The number of each key's element in the line.
  private var numbers = [AnyHashable: Int]()

  package init(_ rule: MailboxRule<Element>) {
    self.rule = rule
    isPlain = rule.key == nil && rule.isRepeat == nil
  }

  private func isSingle(_ element: Element) -> Bool { rule.isRepeat?(element, element) != true }

  /// Hands the element to the consumer that has waited longest, or keeps it.
  package mutating func offer(_ element: Element) -> Offer {
    let element = rule.first.take()?(element) ?? element
    if let consumer = consumers.popFirst() { return .handed(element, to: consumer) }
    return hasEnded ? .refused : .kept(replaced: keep(element))
  }

  /// Adds an element: merged with the one that waits, which is returned, in its place, or at the
  /// end.
  private mutating func keep(_ element: Element) -> Element? {
    if let merge = rule.merge, let number = number(for: element) {
      let replaced = line[number].element
      line[number].element = merge(replaced, element)
      return replaced
    }
    if isSingle(element) { singleCount += 1 }
    if let last = line.last, rule.isRepeat?(last.element, element) == true {
      line[line.end - 1].count += 1
    } else {
      if let key = rule.key { numbers[key(element)] = line.end }
      line.append((element, 1))
    }
    return nil
  }

  private func number(for element: Element) -> Int? {
    guard let key = rule.key else { return line.isEmpty ? nil : line.end - 1 }
    return numbers[key(element)]
  }

  /// The first look.
  @inline(__always)
  package mutating func take() -> Readiness {
    guard isPlain, let (element, _) = line.popFirst() else { return takeByRule() }
    singleCount -= 1
    return .element(element)
  }

  private mutating func takeByRule() -> Readiness {
    guard let (element, repeats) = line.first else { return hasEnded ? .ended : .none }
    if isSingle(element) { singleCount -= 1 }
    if repeats > 1 {
      line[line.end - line.count].count -= 1
    } else {
      _ = line.popFirst()
      if let key = rule.key { numbers[key(element)] = nil }
      if line.isEmpty, numbers.capacity > 64 { numbers = [:] }
    }
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
    let taken = line.takeAll(where: { isIncluded($0.element) })
    let elements = taken.flatMap { repeatElement($0.element, count: $0.count) }
    singleCount -= elements.count { isSingle($0) }
    if let key = rule.key, !taken.isEmpty {
      let left = zip(line, line.end - line.count..<line.end)
      numbers = Dictionary(uniqueKeysWithValues: left.map { (key($0.element), $1) })
    }
    return elements
  }

  /// Ends the stream after the elements that wait; returns the consumers, to be resumed with nil.
  package mutating func end() -> [Consumer] {
    hasEnded = true
    return consumers.takeAll()
  }
}
