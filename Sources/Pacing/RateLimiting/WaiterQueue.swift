/// Those who wait for tokens, first come first served: a pure value.
///
/// A doubly linked list in a slab. A place names a node and the number of the call that made it, so
/// the place of someone who was served or has left is harmless.
///
/// - Complexity: every operation is O(1).
package struct WaiterQueue<Payload> {
  /// The name of one waiter, good until he is served or leaves.
  package struct Place: Hashable, Sendable {
    fileprivate let index: Int32
    fileprivate let number: UInt64
  }

  private struct Node {
    /// Nil in a free node.
    var payload: Payload?
    var cost: Int
    var number: UInt64
    var previous: Int32
    /// In a free node the next free one.
    var next: Int32
  }

  private static var none: Int32 { -1 }
  /// A slab of up to this many nodes is kept while nobody waits.
  private static var spared: Int { 64 }

  private var slab = ContiguousArray<Node>()
  private var first = none
  private var last = none
  private var firstFree = none
  private var nextNumber: UInt64 = 0

  /// How many wait.
  private(set) var count = 0

  /// The sum of what they wait for.
  private(set) var tokens: Int128 = 0

  /// Whether nobody waits.
  @inline(__always)
  var isEmpty: Bool { count == 0 }

  /// What the first in the queue waits for, nil where nobody waits.
  var firstCost: Int? { isEmpty ? nil : slab[Int(first)].cost }

  /// Adds someone at the end.
  mutating func append(_ payload: Payload, cost: Int) -> Place {
    let number = nextNumber
    nextNumber += 1
    let node = Node(
      payload: payload, cost: cost, number: number, previous: last, next: Self.none)
    let index = insert(node)
    if last == Self.none { first = index } else { slab[Int(last)].next = index }
    last = index
    count += 1
    tokens += Int128(cost)
    return Place(index: index, number: number)
  }

  /// Takes out the first, nil where nobody waits.
  mutating func popFirst() -> Payload? {
    isEmpty ? nil : unlink(first)
  }

  /// Takes someone out, nil where he is no longer there.
  mutating func remove(_ place: Place) -> Payload? {
    guard place.index < slab.count, slab[Int(place.index)].number == place.number else {
      return nil
    }
    return slab[Int(place.index)].payload == nil ? nil : unlink(place.index)
  }

  /// Names what each waits for, first to last.
  func forEachCost(_ body: (Int) -> Void) {
    var index = first
    while index != Self.none {
      body(slab[Int(index)].cost)
      index = slab[Int(index)].next
    }
  }

  private mutating func insert(_ node: Node) -> Int32 {
    guard firstFree != Self.none else {
      slab.append(node)
      return Int32(slab.count - 1)
    }
    let index = firstFree
    firstFree = slab[Int(index)].next
    slab[Int(index)] = node
    return index
  }

  private mutating func unlink(_ index: Int32) -> Payload? {
    let node = slab[Int(index)]
    if node.previous == Self.none {
      first = node.next
    } else {
      slab[Int(node.previous)].next = node.next
    }
    if node.next == Self.none {
      last = node.previous
    } else {
      slab[Int(node.next)].previous = node.previous
    }
    slab[Int(index)].payload = nil
    slab[Int(index)].next = firstFree
    firstFree = index
    count -= 1
    tokens -= Int128(node.cost)
    if isEmpty, slab.count > Self.spared {
      slab = []
      firstFree = Self.none
    }
    return node.payload
  }
}
