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
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].number == number else { return nil }
    let mailbox = entries[low].mailbox.take()
    count -= mailbox == nil ? 0 : 1
    if count <= entries.count / 2 { entries.removeAll { $0.mailbox == nil } }
    return mailbox
  }
}

extension Subscribers {
  /// Withdraws what waits in the mailboxes and matches; nil matches everything.
  func withdraw(where isMeant: (@Sendable (Output) -> Bool)?) -> [[Output]] {
    isEmpty ? [] : map { $0.withdraw(where: isMeant ?? { _ in true }) }
  }
}

extension Subscribers: Sequence {
  func makeIterator() -> some IteratorProtocol<Mailbox<Output>> {
    entries.lazy.compactMap(\.mailbox).makeIterator()
  }
}
