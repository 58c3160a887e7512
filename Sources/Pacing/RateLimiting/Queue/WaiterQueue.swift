/// The waiters of a limit, in the order of service, as a pure value.
///
/// It is a doubly linked list in a slab, in the order of the calls. The node of a waiter that was
/// served or has left is not used again; when many are free, the others are moved together. A place
/// is the number of the call that made it, by which a node is found wherever it was moved, so the
/// place of a waiter that is gone is harmless. There is memory for three times the waiters, and a
/// constant.
///
/// - Complexity: Adding a waiter or removing the first is amortised O(1), removing another by its
///   place O(log n); both are amortised O(log n) once `firstLate` has built the lateness index.
package struct WaiterQueue<Payload> {
  /// Identifies one waiter until it is served or leaves.
  package struct Place: Hashable, Sendable {
    /// The number of the call, in the order of the calls.
    let number: UInt64
  }

  /// A waiter removed from the queue, and the reason.
  package typealias Refusal = (payload: Payload, error: AcquireError)

  /// A waiter's cost and deadline.
  struct WaitRequest {
    let cost: Int
    /// The instant of the call.
    let joined: PacingInstant
    /// The latest instant from which a grant may count.
    let deadline: PacingInstant
    /// Whether the queue's bound does not apply to it.
    var isExempt = false

    var isTimed: Bool { deadline != .distantFuture }

    /// The total wait of a caller that is served at an instant.
    func wait(until instant: PacingInstant) -> Duration {
      Duration(nanoseconds: joined.nanoseconds(until: instant))
    }
  }

  private struct Node {
    /// Nil in a free node.
    var payload: Payload?
    var request: WaitRequest
    var number: UInt64
    var previous: Int32
    var next: Int32
    /// Its leaf in the lateness index, if there is one.
    var leaf: Int32 = -1
  }

  private static var none: Int32 { -1 }

  /// Ascending by number.
  private var slab = ContiguousArray<Node>()
  private var first = none
  private var last = none
  /// The number of the next waiter's call.
  private(set) var nextNumber: UInt64 = 0

  let policy: QueuePolicy

  /// The number of waiters.
  private(set) var count = 0

  /// How many waiters there is memory for.
  package var capacity: Int { slab.capacity }

  /// The number of waiters to which the bound does not apply.
  private var exemptCount = 0

  /// The number of waiters with a deadline.
  private(set) var timedCount = 0

  /// The total cost of the waiters.
  private(set) var tokens: Int128 = 0

  /// The index that finds late waiters; nil until needed.
  private var lateness: LatenessIndex?

  /// Whether it counts as full although it has room.
  var isCrowded = false

  /// Makes an empty queue that numbers its calls from `firstNumber`.
  ///
  /// A place from a queue with other numbers is harmless in this one.
  init(_ policy: QueuePolicy, firstNumber: UInt64 = 0) {
    self.policy = policy
    nextNumber = firstNumber
  }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  /// The first waiter's request, nil without waiters.
  var firstRequest: WaitRequest? { isEmpty ? nil : slab[Int(first)].request }

  /// The first waiter's place, nil without waiters.
  var firstPlace: Place? { isEmpty ? nil : place(first) }

  /// The last waiter's place, nil without waiters.
  var lastPlace: Place? { isEmpty ? nil : place(last) }

  /// The place of the waiter that joined first, of those to which the bound applies.
  ///
  /// - Complexity: O(n) in the number of waiters to which it does not apply.
  var oldest: Place? {
    guard boundCount > 0 else { return nil }
    var index = isNewestFirst ? last : first
    while slab[Int(index)].request.isExempt {
      index = isNewestFirst ? slab[Int(index)].previous : slab[Int(index)].next
    }
    return place(index)
  }

  /// Whether the newest waiter is served first.
  var isNewestFirst: Bool { policy.order.isNewestFirst }

  /// The number of waiters to which the bound applies.
  var boundCount: Int { count - exemptCount }

  /// Whether it is at its bound.
  var isFull: Bool { isCrowded || boundCount >= policy.maximumWaiters }

  /// The place of the waiter that a full queue displaces, nil if the newcomer is refused.
  var replaceable: Place? { policy.whenFull.dropsOldest ? oldest : nil }

  /// The request of a waiter in the queue.
  func request(_ place: Place) -> WaitRequest { slab[Int(index(of: place)!)].request }

  private func place(_ index: Int32) -> Place { Place(number: slab[Int(index)].number) }

  /// The index of a waiter's node, nil if it is no longer in the queue.
  private func index(of place: Place) -> Int32? {
    guard let oldest = slab.first, place.number >= oldest.number else { return nil }
    // Calls have consecutive numbers: it is here, or nearer the oldest by the nodes moved away.
    let latest = Int(min(place.number - oldest.number, UInt64(slab.count - 1)))
    let index =
      slab[latest].number == place.number
      ? latest : slab[..<latest].partitioningIndex { $0.number >= place.number }
    let isWaiting = slab[index].number == place.number && slab[index].payload != nil
    return isWaiting ? Int32(index) : nil
  }

  /// Adds a waiter at the back, or at the front if the newest is served first.
  mutating func insert(_ payload: Payload, _ request: WaitRequest) -> Place {
    if slab.count == slab.capacity, isWorthCompacting { compact() }
    let atFront = isNewestFirst
    let number = nextNumber
    nextNumber += 1
    let node = Node(
      payload: payload, request: request, number: number, previous: atFront ? Self.none : last,
      next: atFront ? first : Self.none)
    let index = Int32(slab.count)
    slab.append(node)
    if node.previous == Self.none { first = index } else { slab[Int(last)].next = index }
    if node.next == Self.none { last = index } else { slab[Int(node.next)].previous = index }
    count += 1
    tokens += Int128(request.cost)
    if request.isTimed { timedCount += 1 }
    if request.isExempt { exemptCount += 1 }
    if lateness != nil { enter(index, request, atFront: atFront) }
    return Place(number: number)
  }

  /// Removes the first waiter, nil without waiters.
  mutating func popFirst() -> Payload? {
    isEmpty ? nil : unlink(first)
  }

  /// Whether a waiter is still in the queue.
  func contains(_ place: Place) -> Bool { index(of: place) != nil }

  /// Removes a waiter, nil if it is no longer in the queue.
  mutating func remove(_ place: Place) -> Payload? {
    index(of: place).flatMap { unlink($0) }
  }

  /// Visits each waiter from first to last; only those behind a call, if the oldest is first.
  ///
  /// - Complexity: O(n) in the number of waiters visited.
  func forEach(behind call: UInt64? = nil, _ body: (Place, WaitRequest) -> Void) {
    var next = call.map(firstIndex(behind:)) ?? first
    while next != Self.none {
      body(place(next), slab[Int(next)].request)
      next = slab[Int(next)].next
    }
  }

  private func firstIndex(behind call: UInt64) -> Int32 {
    var (found, next) = (Self.none, last)
    while next != Self.none, slab[Int(next)].number > call {
      (found, next) = (next, slab[Int(next)].previous)
    }
    return found
  }

  // MARK: The index

  /// The first waiter that is due after its deadline, by the `LatenessIndex`.
  mutating func firstLate(
    after start: Int128, earliest: PacingInstant, unitsPerToken: Int64, unitsPerNanosecond: Int64
  ) -> (place: Place, due: Int128)? {
    if lateness?.unitsPerToken != unitsPerToken
      || lateness?.unitsPerNanosecond != unitsPerNanosecond
    {
      makeIndex(unitsPerToken, unitsPerNanosecond)
    }
    return lateness?.firstLate(after: start, earliest: earliest).map { (place($0.waiter), $0.due) }
  }

  /// The earliest deadline, `distantFuture` without timed waiters.
  var earliestDeadline: PacingInstant {
    mutating get {
      guard timedCount > 0 else { return .distantFuture }
      if lateness == nil { makeIndex(0, 0) }
      return lateness?.earliestDeadline ?? .distantFuture
    }
  }

  /// The first waiter whose deadline is before an instant.
  mutating func firstOverdue(before instant: PacingInstant) -> Place? {
    guard earliestDeadline < instant else { return nil }
    return firstLate(after: .min, earliest: instant, unitsPerToken: 0, unitsPerNanosecond: 0)?.place
  }

  private mutating func makeIndex(_ unitsPerToken: Int64, _ unitsPerNanosecond: Int64) {
    lateness = LatenessIndex(
      roomFor: count, growsAtFront: isNewestFirst, unitsPerToken: unitsPerToken,
      unitsPerNanosecond: unitsPerNanosecond)
    // Starts from the end at which the queue does not grow.
    var next = isNewestFirst ? last : first
    while next != Self.none {
      enter(next, slab[Int(next)].request, atFront: isNewestFirst)
      next = isNewestFirst ? slab[Int(next)].previous : slab[Int(next)].next
    }
  }

  private mutating func enter(_ waiter: Int32, _ request: WaitRequest, atFront: Bool) {
    let leaf = lateness?.insert(
      waiter, cost: request.cost, deadline: request.deadline, atFront: atFront)
    // Without a free leaf, the index is rebuilt when it is next needed.
    if let leaf { slab[Int(waiter)].leaf = leaf } else { lateness = nil }
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
    count -= 1
    tokens -= Int128(node.request.cost)
    if node.request.isTimed { timedCount -= 1 }
    if node.request.isExempt { exemptCount -= 1 }
    lateness?.remove(node.leaf)
    if isEmpty { lateness = nil }
    // Waiters that leave from the back, or one alone, cost no move.
    while !slab.isEmpty, slab[slab.count - 1].payload == nil { slab.removeLast() }
    if slab.isSparse(for: count) { compact() }
    return node.payload
  }

  /// Whether to move the waiters together before the slab grows: enough of it is free.
  private var isWorthCompacting: Bool { slab.count >= 32 && 3 * count <= 2 * slab.count }

  /// Moves the waiters together in the slab, and to a smaller one if it is sparse.
  private mutating func compact() {
    var moved = 0
    for index in slab.indices where slab[index].payload != nil {
      let older = Int32(moved) - 1
      let newer = moved + 1 < count ? Int32(moved) + 1 : Self.none
      slab.swapAt(moved, index)
      slab[moved].previous = isNewestFirst ? newer : older
      slab[moved].next = isNewestFirst ? older : newer
      moved += 1
    }
    slab.removeSubrange(count...)
    slab.shrinkIfSparse()
    let oldest = isEmpty ? Self.none : 0
    let newest = Int32(count) - 1
    first = isNewestFirst ? newest : oldest
    last = isNewestFirst ? oldest : newest
    // It holds indices, and memory for a crowd.
    lateness = nil
  }
}
