/// Deadlines and what they belong to, the earliest first: a pure value, no clock and no lock.
///
/// A 4-ary heap of deadlines over a slab of payloads: four children share a cache line, and
/// ordering them touches nothing else. A handle is an index into the slab and the number of the
/// call that made it; the handle of an entry that has fired, was moved or was cancelled is
/// harmless. Entries with the same deadline come out in the order of those calls. Memory follows
/// the entries in use, and no call moves more than a page of it.
///
/// - Complexity: `schedule`, `cancel`, `move` and `popDue` are O(log n); cancelling the entry that
///   was scheduled last, the usual case of a timeout that is not needed, is O(1).
package struct DeadlineQueue<Payload> {
  /// The name of one entry, good until the entry fires, is moved or is cancelled.
  package struct Handle: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let number: UInt32

    /// The handle of no entry.
    package static var none: Handle { Handle(index: .max, number: 0) }
  }

  /// A place in the heap: 16 bytes.
  private struct Entry {
    var deadline: PacingInstant
    /// The number of the call that gave the entry its deadline; it may wrap around.
    var number: UInt32
    let index: UInt32

    func precedes(_ other: Entry) -> Bool {
      guard deadline == other.deadline else { return deadline < other.deadline }
      return Int32(bitPattern: number &- other.number) < 0
    }
  }

  private var slab = DeadlineSlab<Payload>()
  private var heap = ChunkedArray<Entry>()
  private var nextNumber: UInt32

  /// Makes an empty queue whose first call takes `firstNumber`.
  package init(firstNumber: UInt32 = 0) {
    nextNumber = firstNumber
  }

  /// How many entries are pending.
  package var count: Int { heap.count }

  /// How many entries there is memory for.
  package var capacity: Int { max(slab.capacity, heap.capacity) }

  /// How many pages the entries were kept in so far.
  package var pageCount: Int { slab.pageCount }

  /// The earliest deadline, `distantFuture` if nothing is pending.
  package var earliest: PacingInstant { heap.isEmpty ? .distantFuture : heap[0].deadline }

  /// The payload of the earliest entry, nil if nothing is pending.
  package var first: Payload? { heap.isEmpty ? nil : slab.payload(at: heap[0].index) }

  /// The second earliest deadline, `distantFuture` if there is none.
  package var second: PacingInstant {
    (1..<max(1, min(5, heap.count))).lazy.map { heap[$0].deadline }.min() ?? .distantFuture
  }

  /// Adds an entry.
  package mutating func schedule(_ payload: Payload, at deadline: PacingInstant) -> Handle {
    let position = heap.count
    let number = takeNumber()
    let index = slab.insert(payload, number: number, position: UInt32(position))
    heap.append(Entry(deadline: deadline, number: number, index: index))
    siftUp(from: position)
    return Handle(index: index, number: number)
  }

  /// Takes an entry out and returns its payload, nil if it is no longer pending.
  package mutating func cancel(_ handle: Handle) -> Payload? {
    slab.position(at: handle.index, number: handle.number).map { remove(at: $0) }
  }

  /// Gives an entry another deadline and the last place among those that share it.
  ///
  /// - Returns: The entry's new handle, nil if it is no longer pending.
  package mutating func move(_ handle: Handle, to deadline: PacingInstant) -> Handle? {
    guard let position = slab.position(at: handle.index, number: handle.number) else { return nil }
    let number = takeNumber()
    slab.setNumber(number, at: handle.index)
    heap[position].deadline = deadline
    heap[position].number = number
    restoreOrder(at: position)
    return Handle(index: handle.index, number: number)
  }

  /// The deadline of an entry, nil if it is no longer pending.
  package func deadline(of handle: Handle) -> PacingInstant? {
    slab.position(at: handle.index, number: handle.number).map { heap[$0].deadline }
  }

  /// Gives an entry another payload; one that is no longer pending is ignored.
  package mutating func replace(_ handle: Handle, by payload: Payload) {
    if slab.position(at: handle.index, number: handle.number) != nil {
      slab.setPayload(payload, at: handle.index)
    }
  }

  /// Takes out the earliest entry if it is due: its deadline is at or before `now`.
  package mutating func popDue(at now: PacingInstant) -> (handle: Handle, payload: Payload)? {
    guard !heap.isEmpty, earliest <= now else { return nil }
    let handle = Handle(index: heap[0].index, number: heap[0].number)
    return (handle, remove(at: 0))
  }

  private mutating func takeNumber() -> UInt32 {
    defer { nextNumber &+= 1 }
    return nextNumber
  }

  private mutating func remove(at position: Int) -> Payload {
    let index = heap[position].index
    if let last = heap.popLast(), position < heap.count {
      place(last, at: position)
      restoreOrder(at: position)
    }
    return slab.remove(at: index)
  }

  private mutating func place(_ entry: Entry, at position: Int) {
    heap[position] = entry
    slab.setPosition(position, at: entry.index)
  }

  private mutating func restoreOrder(at position: Int) {
    siftDown(from: siftUp(from: position))
  }

  @discardableResult
  private mutating func siftUp(from start: Int) -> Int {
    let entry = heap[start]
    var position = start
    while position > 0 {
      let parent = (position - 1) / 4
      guard entry.precedes(heap[parent]) else { break }
      place(heap[parent], at: position)
      position = parent
    }
    if position < start { place(entry, at: position) }
    return position
  }

  private mutating func siftDown(from start: Int) {
    let entry = heap[start]
    var position = start
    while true {
      let firstChild = 4 * position + 1
      guard firstChild < heap.count else { break }
      var least = firstChild
      for child in firstChild..<min(firstChild + 4, heap.count)
      where heap[child].precedes(heap[least]) {
        least = child
      }
      guard heap[least].precedes(entry) else { break }
      place(heap[least], at: position)
      position = least
    }
    if position > start { place(entry, at: position) }
  }
}

extension DeadlineQueue: Sendable where Payload: Sendable {}
