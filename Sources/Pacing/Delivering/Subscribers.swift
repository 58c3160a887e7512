/// The mailboxes of a tool, in subscription order.
///
/// - Complexity: `append` and `remove` are O(log n), amortised.
struct Subscribers<Output: Sendable> {
  /// Sorted by number; the mailbox is nil after its consumer has left.
  private var entries = [(number: Int, mailbox: Mailbox<Output>?)]()
  private var next = 0
  private var count = 0

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  /// - Returns: The mailbox's number.
  mutating func append(_ mailbox: Mailbox<Output>) -> Int {
    entries.append((next, mailbox))
    count += 1
    next += 1
    return next - 1
  }

  /// Removes the mailbox with a number; an unknown number is ignored.
  ///
  /// - Returns: The mailbox, for the caller to release.
  mutating func remove(_ number: Int) -> Mailbox<Output>? {
    let index = entries.partitioningIndex(where: { $0.number >= number })
    guard index < entries.count, entries[index].number == number else { return nil }
    let mailbox = entries[index].mailbox.take()
    count -= mailbox == nil ? 0 : 1
    if count <= entries.count / 2 { entries.removeAll { $0.mailbox == nil } }
    return mailbox
  }
}

extension Subscribers {
  /// Withdraws what waits in the mailboxes and matches; nil matches everything.
  func withdraw(where isIncluded: (@Sendable (Output) -> Bool)?) -> [[Output]] {
    isEmpty ? [] : map { $0.withdraw(where: isIncluded ?? { _ in true }) }
  }
}

extension Subscribers: Sequence {
  func makeIterator() -> some IteratorProtocol<Mailbox<Output>> {
    entries.lazy.compactMap { $0.mailbox }.makeIterator()
  }
}
