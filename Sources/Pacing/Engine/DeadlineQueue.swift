/// Deadlines and what they belong to, the earliest first: a pure value, no clock and no lock.
///
/// A 4-ary heap of deadlines over a slab of payloads: four children share a cache line, and
/// ordering them touches nothing else. Nodes stay where they are in the slab, so that a handle is
/// an index and the number of the call that made it; the handle of an entry that has fired, was
/// moved or was cancelled is harmless. Entries of the same deadline come out in the order of those
/// calls.
///
/// - Complexity: `schedule`, `cancel`, `move` and `popDue` are O(log n); cancelling the entry that
///   was scheduled last, the usual case of a timeout that is not needed, is O(1).
package struct DeadlineQueue<Payload> {
  /// The name of one entry, good until the entry fires, is moved or is cancelled.
  package struct Handle: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let number: UInt32
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

  /// A place in the slab: 24 bytes where the payload is a reference to an object behind a protocol.
  fileprivate struct Node {
    /// Nil in a free node.
    var payload: Payload?
    /// That of the entry; in a free node one that no handle has.
    var number: UInt32
    /// Where the entry stands in the heap; in a free node the next free one.
    var position: UInt32

    /// Frees the node, and returns what was in it.
    mutating func vacate(before nextFree: UInt32) -> Payload {
      number &+= 1
      position = nextFree
      return payload.take()!
    }
  }

  private static var none: UInt32 { .max }

  /// How many nodes are kept when all entries have gone.
  private static var keptCapacity: Int { 4096 }

  private var slab = ChunkedArray<Node>()
  private var heap = ContiguousArray<Entry>()
  private var firstFree = none
  private var nextNumber: UInt32

  /// Makes an empty queue, whose first call takes `firstNumber`.
  package init(firstNumber: UInt32 = 0) {
    nextNumber = firstNumber
  }

  /// How many entries are pending.
  package var count: Int { heap.count }

  /// The earliest deadline, `distantFuture` where nothing is pending.
  package var earliest: PacingInstant { heap.isEmpty ? .distantFuture : heap[0].deadline }

  /// Adds an entry.
  package mutating func schedule(_ payload: Payload, at deadline: PacingInstant) -> Handle {
    let position = heap.count
    let number = takeNumber()
    let node = Node(payload: payload, number: number, position: UInt32(position))
    let index = firstFree == Self.none ? UInt32(slab.count) : firstFree
    if firstFree == Self.none {
      slab.append(node)
    } else {
      firstFree = slab[Int(index)].position
      slab[Int(index)] = node
    }
    heap.append(Entry(deadline: deadline, number: number, index: index))
    siftUp(from: position)
    return Handle(index: index, number: number)
  }

  /// Takes an entry out and returns its payload, nil where it is no longer pending.
  package mutating func cancel(_ handle: Handle) -> Payload? {
    guard isPending(handle) else { return nil }
    return remove(at: Int(slab[Int(handle.index)].position))
  }

  /// Gives an entry another deadline and the last place among those that share it.
  ///
  /// - Returns: The entry's new handle, nil where it is no longer pending.
  package mutating func move(_ handle: Handle, to deadline: PacingInstant) -> Handle? {
    guard isPending(handle) else { return nil }
    let number = takeNumber()
    let position = Int(slab[Int(handle.index)].position)
    slab[Int(handle.index)].number = number
    heap[position].deadline = deadline
    heap[position].number = number
    restoreOrder(at: position)
    return Handle(index: handle.index, number: number)
  }

  /// Takes out the earliest entry if it is due: its deadline is at or before `now`.
  package mutating func popDue(at now: PacingInstant) -> (handle: Handle, payload: Payload)? {
    guard !heap.isEmpty, earliest <= now else { return nil }
    let handle = Handle(index: heap[0].index, number: heap[0].number)
    return (handle, remove(at: 0))
  }

  private func isPending(_ handle: Handle) -> Bool {
    handle.index < slab.count && slab[Int(handle.index)].number == handle.number
  }

  private mutating func takeNumber() -> UInt32 {
    defer { nextNumber &+= 1 }
    return nextNumber
  }

  private mutating func remove(at position: Int) -> Payload {
    let index = Int(heap[position].index)
    let last = heap.removeLast()
    if position < heap.count {
      place(last, at: position)
      restoreOrder(at: position)
    }
    let payload = slab[index].vacate(before: firstFree)
    firstFree = UInt32(index)
    if heap.isEmpty, slab.count > Self.keptCapacity { giveBack() }
    return payload
  }

  /// Gives back what many entries took, now that there are none.
  private mutating func giveBack() {
    slab = ChunkedArray()
    heap = []
    firstFree = Self.none
  }

  private mutating func place(_ entry: Entry, at position: Int) {
    heap[position] = entry
    slab[Int(entry.index)].position = UInt32(position)
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
      for child in firstChild..<Swift.min(firstChild + 4, heap.count)
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
extension DeadlineQueue.Node: Sendable where Payload: Sendable {}
