/// Finds the first waiter of a queue that is due too late, without visiting each: a pure value.
///
/// It is a segment tree in an array. Waiters are served one after another, so each is due once the
/// tokens of all waiters up to and including it have accrued. A node stores the units that its
/// segment takes, and the slack of its tightest deadline.
///
/// - Complexity: O(log n) per call. When an end has no free leaf, the queue rebuilds the index,
///   which is amortised O(log n) per insertion.
struct LatenessIndex {
  private struct Node {
    /// The units that the waiters of the segment take.
    var cost: Int128 = 0
    /// The least slack: a deadline less the units taken up to and including its waiter.
    var slack: Int128 = .max
    /// The earliest deadline.
    var deadline = PacingInstant.distantFuture

    /// The concatenation of two adjacent segments.
    static func + (first: Node, second: Node) -> Node {
      Node(
        cost: first.cost.adding(second.cost),
        slack: min(
          first.slack, second.slack == .max ? .max : second.slack.adding(-first.cost)),
        deadline: min(first.deadline, second.deadline))
    }
  }

  /// The tree: the root is at index 1, the leaves are the second half.
  private var nodes: ContiguousArray<Node>
  private var leaves: ContiguousArray<Int32>
  private var range: Range<Int>
  let unitsPerToken: Int64
  let unitsPerNanosecond: Int64

  private var capacity: Int { leaves.count }

  /// Makes room for a queue, with at least as much again at the end at which it grows.
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

  /// Adds a waiter at the back or at the front.
  ///
  /// - Returns: Its leaf, nil if there is no free one.
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

  mutating func remove(_ leaf: Int32) {
    leaves[Int(leaf)] = -1
    set(Int(leaf), Node())
  }

  /// The earliest deadline of all waiters.
  var earliestDeadline: PacingInstant { nodes[1].deadline }

  private mutating func set(_ leaf: Int, _ node: Node) {
    var index = capacity + leaf
    nodes[index] = node
    while index > 1 {
      index /= 2
      nodes[index] = nodes[2 * index] + nodes[2 * index + 1]
    }
  }

  /// The first waiter that is due after its deadline, and its due time in units.
  ///
  /// A waiter is due at `start` plus the units of all waiters up to and including it, but not
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
