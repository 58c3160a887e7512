/// Deadlines and what they belong to, the earliest first: a pure value, no clock and no lock.
///
/// A 4-ary heap of slab indices. Nodes stay where they are in the slab, so that a handle is an index
/// and the number of the call that made it; the handle of an entry that has fired, was moved or was
/// cancelled is harmless. Entries of the same deadline come out in the order of those calls.
///
/// - Complexity: `schedule`, `cancel`, `move` and `popDue` are O(log n); cancelling the entry that was
///   scheduled last, the usual case of a timeout that is not needed, is O(1).
package struct DeadlineQueue<Payload> {
  /// The name of one entry, good until the entry fires, is moved or is cancelled.
  package struct Handle: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let number: UInt32
  }

  /// 32 bytes where the payload is a reference to an object behind a protocol.
  fileprivate struct Node {
    var deadline: PacingInstant
    /// Nil in a free node.
    var payload: Payload?
    /// The number of the call that gave the node its deadline; it may wrap around.
    var number: UInt32
    /// Where the node stands in the heap; in a free node the next free one.
    var position: UInt32

    func precedes(_ other: Node) -> Bool {
      guard deadline == other.deadline else { return deadline < other.deadline }
      return Int32(bitPattern: number &- other.number) < 0
    }
  }

  private static var none: UInt32 { .max }

  private var slab = ContiguousArray<Node>()
  private var heap = ContiguousArray<UInt32>()
  private var firstFree = none
  private var nextNumber: UInt32

  /// Makes an empty queue, whose first call takes `firstNumber`.
  package init(firstNumber: UInt32 = 0) {
    nextNumber = firstNumber
  }

  /// How many entries are pending.
  package var count: Int { heap.count }

  /// The earliest deadline, `distantFuture` where nothing is pending.
  package var earliest: PacingInstant {
    heap.isEmpty ? .distantFuture : slab[Int(heap[0])].deadline
  }

  /// Adds an entry.
  package mutating func schedule(_ payload: Payload, at deadline: PacingInstant) -> Handle {
    let position = heap.count
    let node = Node(
      deadline: deadline, payload: payload, number: takeNumber(), position: UInt32(position))
    let index = firstFree == Self.none ? UInt32(slab.count) : firstFree
    if firstFree == Self.none {
      slab.append(node)
    } else {
      firstFree = slab[Int(index)].position
      slab[Int(index)] = node
    }
    heap.append(index)
    siftUp(from: position)
    return Handle(index: index, number: node.number)
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
    let index = Int(handle.index)
    slab[index].deadline = deadline
    slab[index].number = takeNumber()
    restoreOrder(at: Int(slab[index].position))
    return Handle(index: handle.index, number: slab[index].number)
  }

  /// Takes out the earliest entry if it is due: its deadline is at or before `now`.
  package mutating func popDue(at now: PacingInstant) -> (handle: Handle, payload: Payload)? {
    guard !heap.isEmpty, earliest <= now else { return nil }
    let handle = Handle(index: heap[0], number: slab[Int(heap[0])].number)
    return (handle, remove(at: 0))
  }

  private func isPending(_ handle: Handle) -> Bool {
    let node = slab[Int(handle.index)]
    return node.number == handle.number && node.payload != nil
  }

  private mutating func takeNumber() -> UInt32 {
    defer { nextNumber &+= 1 }
    return nextNumber
  }

  private mutating func remove(at position: Int) -> Payload {
    let index = Int(heap[position])
    let last = heap.removeLast()
    if position < heap.count {
      place(last, at: position)
      restoreOrder(at: position)
    }
    let payload = slab[index].payload.take()!
    slab[index].position = firstFree
    firstFree = UInt32(index)
    return payload
  }

  private mutating func place(_ index: UInt32, at position: Int) {
    heap[position] = index
    slab[Int(index)].position = UInt32(position)
  }

  private mutating func restoreOrder(at position: Int) {
    siftDown(from: siftUp(from: position))
  }

  @discardableResult
  private mutating func siftUp(from start: Int) -> Int {
    let index = heap[start]
    var position = start
    while position > 0 {
      let parent = (position - 1) / 4
      guard slab[Int(index)].precedes(slab[Int(heap[parent])]) else { break }
      place(heap[parent], at: position)
      position = parent
    }
    place(index, at: position)
    return position
  }

  private mutating func siftDown(from start: Int) {
    let index = heap[start]
    var position = start
    while true {
      let firstChild = 4 * position + 1
      guard firstChild < heap.count else { break }
      var least = firstChild
      for child in firstChild..<Swift.min(firstChild + 4, heap.count)
      where slab[Int(heap[child])].precedes(slab[Int(heap[least])]) {
        least = child
      }
      guard slab[Int(heap[least])].precedes(slab[Int(index)]) else { break }
      place(heap[least], at: position)
      position = least
    }
    place(index, at: position)
  }
}

extension DeadlineQueue: Sendable where Payload: Sendable {}
extension DeadlineQueue.Node: Sendable where Payload: Sendable {}
