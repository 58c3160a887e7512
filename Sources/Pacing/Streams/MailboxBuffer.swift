/// The elements of a mailbox, in order.
struct MailboxBuffer<Element> {
  private let merge: (@Sendable (Element, Element) -> Element)?
  private let key: (@Sendable (Element) -> AnyHashable)?
  private let isRepeat: @Sendable (Element, Element) -> Bool
  /// Elements that repeat each other are counted.
  private var line = FIFO<(element: Element, count: Int)>()
  /// The number of each key's element in the line.
  private var numbers = [AnyHashable: Int]()
  private(set) var count = 0
  var keptCount: Int { line.count }

  /// - Parameters:
  ///   - merge: Merges two elements into one; nil to keep every element.
  ///   - key: The key of an element, to merge only elements with equal keys; nil to merge any two.
  ///   - isRepeat: Whether of two elements that are not merged it suffices to keep one, and count.
  init(
    merge: (@Sendable (_ older: Element, _ newer: Element) -> Element)?,
    key: (@Sendable (Element) -> AnyHashable)?,
    isRepeat: @escaping @Sendable (Element, Element) -> Bool
  ) {
    self.merge = merge
    self.key = key
    self.isRepeat = isRepeat
  }

  /// Adds an element: merged with the one that waits, in its place, or at the end.
  ///
  /// - Returns: The element that it replaced.
  mutating func add(_ element: Element) -> Element? {
    if let merge, let number = number(for: element) {
      let replaced = line[number].element
      line[number].element = merge(replaced, element)
      return replaced
    }
    count += 1
    if let last = line.last, isRepeat(last.element, element) {
      line[line.end - 1].count += 1
    } else {
      if let key { numbers[key(element)] = line.end }
      line.append((element, 1))
    }
    return nil
  }

  private func number(for element: Element) -> Int? {
    guard let key else { return line.isEmpty ? nil : line.end - 1 }
    return numbers[key(element)]
  }

  mutating func popFirst() -> Element? {
    guard let (element, repeats) = line.first else { return nil }
    count -= 1
    if repeats > 1 {
      line[line.end - line.count].count -= 1
      return element
    }
    _ = line.popFirst()
    if let key { numbers[key(element)] = nil }
    if numbers.isEmpty, numbers.capacity > 64 { numbers = [:] }
    return element
  }

  mutating func takeAll(where isIncluded: (Element) -> Bool) -> [Element] {
    let taken = line.takeAll(where: { isIncluded($0.element) })
    let elements = taken.flatMap { repeatElement($0.element, count: $0.count) }
    count -= elements.count
    guard let key, !taken.isEmpty else { return elements }
    let left = zip(line, line.end - line.count..<line.end)
    numbers = Dictionary(uniqueKeysWithValues: left.map { (key($0.element), $1) })
    return elements
  }
}
