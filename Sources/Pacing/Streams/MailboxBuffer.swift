/// The elements of a mailbox, in order.
struct MailboxBuffer<Element> {
  private let merge: (@Sendable (Element, Element) -> Element)?
  private let key: (@Sendable (Element) -> AnyHashable)?
  private var line = FIFO<Element>()
  /// The number of each key's element in the line.
  private var numbers = [AnyHashable: Int]()

  /// - Parameters:
  ///   - merge: Merges two elements into one; nil to keep every element.
  ///   - key: The key of an element, to merge only elements with equal keys; nil to merge any two.
  init(
    merge: (@Sendable (_ older: Element, _ newer: Element) -> Element)?,
    key: (@Sendable (Element) -> AnyHashable)? = nil
  ) {
    self.merge = merge
    self.key = key
  }

  var count: Int { line.count }

  /// How many elements there is memory for.
  var capacity: Int { max(line.capacity, numbers.capacity) }

  /// Adds an element: merged with the one that waits, in its place, or at the end.
  ///
  /// - Returns: The element that it replaced.
  mutating func add(_ element: Element) -> Element? {
    guard let merge, let number = number(for: element) else {
      if let key { numbers[key(element)] = line.end }
      line.append(element)
      return nil
    }
    let replaced = line[number]
    line[number] = merge(replaced, element)
    return replaced
  }

  private func number(for element: Element) -> Int? {
    guard let key else { return line.isEmpty ? nil : line.end - 1 }
    return numbers[key(element)]
  }

  mutating func popFirst() -> Element? {
    let element = line.popFirst()
    guard let key, let element else { return element }
    numbers[key(element)] = nil
    numbers.shrinkIfSparse()
    return element
  }

  mutating func takeAll(where isIncluded: (Element) -> Bool) -> [Element] {
    let taken = line.takeAll(where: isIncluded)
    guard let key, !taken.isEmpty else { return taken }
    let left = zip(line, line.end - line.count..<line.end)
    numbers = Dictionary(uniqueKeysWithValues: left.map { (key($0), $1) })
    return taken
  }
}
