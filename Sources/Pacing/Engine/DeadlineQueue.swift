/// Deadlines and what they belong to, the earliest first: a pure value, no clock and no lock.
///
/// A 4-ary heap of deadlines over a slab of payloads: four children share a cache line, and
/// ordering them touches nothing else. A handle is an index into the slab and the number of the
/// call that made it; a stale one is harmless. Entries with the same deadline come out in the order
/// of those calls. A queue that becomes empty gives its memory back, and no call moves more than a
/// chunk of it.
///
/// - Complexity: `schedule`, `cancel`, `move` and `popDue` are O(log n); cancelling the entry that
///   was scheduled last, the usual case of a timeout that is not needed, is O(1).
package struct DeadlineQueue<Payload> {
  /// The name of one entry, good until the entry fires, is moved or is cancelled.
  package struct Handle: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let number: UInt32

    package static var none: Handle { Handle(index: .max, number: 0) }
  }

  /// A place in the heap: 16 bytes.
  private struct Entry {
    var deadline: PacingInstant
    /// The number of the call that gave the entry its deadline; it may wrap around.
    var number: UInt32
    /// The entry's node in the slab.
    let index: UInt32

    func precedes(_ other: Entry) -> Bool {
      guard deadline == other.deadline else { return deadline < other.deadline }
      return Int32(bitPattern: number &- other.number) < 0
    }
  }

  /// A payload at a stable index: 24 bytes if it is a reference to an object behind a protocol.
  fileprivate struct Node {
    /// Nil in a free node.
    var payload: Payload?
    var number: UInt32
    /// The entry's place in the heap; in a free node the index of the next free one.
    var position: UInt32
  }

  private static var noNode: UInt32 { .max }

  private var heap = ChunkedArray<Entry>()
  private var slab = ChunkedArray<Node>()
  private var firstFree = noNode
  private var nextNumber: UInt32

  /// Creates an empty queue whose first call takes `firstNumber`.
  package init(firstNumber: UInt32 = 0) {
    nextNumber = firstNumber
  }

  package var count: Int { heap.count }

  package var capacity: Int { max(slab.capacity, heap.capacity) }

  /// The earliest deadline, `distantFuture` if nothing is pending.
  package var earliest: PacingInstant { heap.isEmpty ? .distantFuture : heap[0].deadline }

  package mutating func schedule(_ payload: Payload, at deadline: PacingInstant) -> Handle {
    let position = heap.count
    let number = takeNumber()
    let index = insert(Node(payload: payload, number: number, position: UInt32(position)))
    heap.append(Entry(deadline: deadline, number: number, index: index))
    siftUp(from: position)
    return Handle(index: index, number: number)
  }

  /// Takes an entry out and returns its payload, nil if it is no longer pending.
  package mutating func cancel(_ handle: Handle) -> Payload? {
    position(of: handle).map { remove(at: $0) }
  }

  /// Gives an entry another deadline, the last place among those that share it, and a new handle;
  /// nil if it is no longer pending.
  package mutating func move(_ handle: Handle, to deadline: PacingInstant) -> Handle? {
    guard let position = position(of: handle) else { return nil }
    let number = takeNumber()
    slab[Int(handle.index)].number = number
    heap[position].deadline = deadline
    heap[position].number = number
    restoreOrder(at: position)
    return Handle(index: handle.index, number: number)
  }

  /// The deadline of an entry, nil if it is no longer pending.
  package func deadline(of handle: Handle) -> PacingInstant? {
    position(of: handle).map { heap[$0].deadline }
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
    return free(index)
  }

  /// The place in the heap of an entry that is still pending.
  private func position(of handle: Handle) -> Int? {
    guard handle.index < slab.count else { return nil }
    let node = slab[Int(handle.index)]
    return node.number == handle.number && node.payload != nil ? Int(node.position) : nil
  }

  private mutating func insert(_ node: Node) -> UInt32 {
    guard firstFree != Self.noNode else {
      slab.append(node)
      return UInt32(slab.count - 1)
    }
    let index = firstFree
    firstFree = slab[Int(index)].position
    slab[Int(index)] = node
    return index
  }

  private mutating func free(_ index: UInt32) -> Payload {
    let payload = slab[Int(index)].payload.take()!
    slab[Int(index)].position = firstFree
    firstFree = index
    // The memory of one chunk stays: most queues are empty again and again.
    if heap.isEmpty, slab.count > ChunkedArray<Node>.chunkLength {
      slab = ChunkedArray()
      heap = ChunkedArray()
      firstFree = Self.noNode
    }
    return payload
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
      let above = heap[parent]
      guard entry.precedes(above) else { break }
      place(above, at: position)
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
      var (next, least) = (firstChild, heap[firstChild])
      for child in firstChild + 1..<min(firstChild + 4, heap.count) {
        let below = heap[child]
        if below.precedes(least) { (next, least) = (child, below) }
      }
      guard least.precedes(entry) else { break }
      place(least, at: position)
      position = next
    }
    if position > start { place(entry, at: position) }
  }
}

extension DeadlineQueue: Sendable where Payload: Sendable {}
extension DeadlineQueue.Node: Sendable where Payload: Sendable {}
