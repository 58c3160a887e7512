/// Which waiter of a queue is the first that comes too late, without a look at each: a pure value.
///
/// A balanced tree of sums over the queue, in an array. The waiters' tokens come one after the
/// other, so each is due when those of all before it and its own have come; what is kept of a
/// stretch of the queue is how many units it takes, and how much room its tightest deadline leaves.
///
/// - Complexity: O(log n) for every call; the queue makes a new one when there is no place left at
///   an end, which is O(n), and O(1) on the average.
struct LatenessIndex {
  private struct Node {
    /// The units that the waiters below take.
    var cost: Int128 = 0
    /// The least of their deadlines less what is taken up to them.
    var slack: Int128 = .max
    /// The first of their deadlines.
    var deadline = PacingInstant.distantFuture

    /// A stretch of the queue, and the one behind it.
    static func + (first: Node, second: Node) -> Node {
      Node(
        cost: first.cost.adding(second.cost),
        slack: min(
          first.slack, second.slack == .max ? .max : second.slack.adding(-first.cost)),
        deadline: min(first.deadline, second.deadline))
    }
  }

  /// The tree: the first node is the root, the leaves are the second half.
  private var nodes: ContiguousArray<Node>
  private var leaves: ContiguousArray<Int32>
  private var range: Range<Int>
  let unitsPerToken: Int64
  let unitsPerNanosecond: Int64

  private var capacity: Int { leaves.count }

  /// Makes room for a queue, with as much again at the end at which it grows.
  init(roomFor count: Int, growsAtFront: Bool, unitsPerToken: Int64, unitsPerNanosecond: Int64) {
    var capacity = 16
    while capacity < 2 * count { capacity *= 2 }
    nodes = ContiguousArray(repeating: Node(), count: 2 * capacity)
    leaves = ContiguousArray(repeating: -1, count: capacity)
    let start = growsAtFront ? capacity : 0
    range = start..<start
    self.unitsPerToken = unitsPerToken
    self.unitsPerNanosecond = unitsPerNanosecond
  }

  /// Adds a waiter behind the last or before the first.
  ///
  /// - Returns: Its leaf, nil if there is none left.
  mutating func insert(
    _ waiter: Int32, cost: Int, deadline: PacingInstant, atFront: Bool
  ) -> Int32? {
    let leaf = atFront ? range.lowerBound - 1 : range.upperBound
    guard leaves.indices.contains(leaf) else { return nil }
    range = atFront ? leaf..<range.upperBound : range.lowerBound..<leaf + 1
    leaves[leaf] = waiter
    let units = Int128(cost) * Int128(unitsPerToken)
    let isTimed = deadline != .distantFuture
    let due = Int128(deadline.nanoseconds) * Int128(unitsPerNanosecond)
    set(leaf, Node(cost: units, slack: isTimed ? due - units : .max, deadline: deadline))
    return Int32(leaf)
  }

  /// Removes a waiter.
  mutating func remove(_ leaf: Int32) {
    leaves[Int(leaf)] = -1
    set(Int(leaf), Node())
  }

  private mutating func set(_ leaf: Int, _ node: Node) {
    var index = capacity + leaf
    nodes[index] = node
    while index > 1 {
      index /= 2
      nodes[index] = nodes[2 * index] + nodes[2 * index + 1]
    }
  }

  /// The first waiter that is due after its deadline, and when that is, in units.
  ///
  /// A waiter is due after `start` by as much as its own tokens and those before it take, and not
  /// before `earliest`.
  func firstLate(after start: Int128, earliest: PacingInstant) -> (waiter: Int32, due: Int128)? {
    func isLate(_ node: Node, _ taken: Int128) -> Bool {
      node.deadline < earliest || node.slack < start.adding(taken)
    }
    var index = 1
    var taken: Int128 = 0
    guard isLate(nodes[index], taken) else { return nil }
    while index < capacity {
      index *= 2
      if !isLate(nodes[index], taken) {
        taken = taken.adding(nodes[index].cost)
        index += 1
      }
    }
    return (leaves[index - capacity], start.adding(taken).adding(nodes[index].cost))
  }
}
