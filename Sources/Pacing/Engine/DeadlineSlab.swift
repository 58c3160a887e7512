/// The payloads of a deadline queue, at stable indices, in memory proportional to their number.
///
/// Nodes live in pages. A page with few nodes left keeps only those, in the order of their places,
/// until the last of them goes: no index changes, and no call moves more than a page. New nodes go
/// to one page until it is full, then to another one with free places, then to a new one.
///
/// - Complexity: `insert`, `remove` and access are O(1) amortised; in a page of which little is
///   left access is O(log n), and removal moves what is left of it.
struct DeadlineSlab<Payload> {
  /// 24 bytes if the payload is a reference to an object behind a protocol.
  struct Node {
    /// Nil in a free node.
    var payload: Payload?
    /// The number of the entry; that of a free node is ignored.
    var number: UInt32
    /// The entry's place in the heap; in a free node the offset of the next free one.
    var position: UInt32
  }

  fileprivate struct Page {
    /// Of a full page, by offset; of a sparse one, only those in use.
    var nodes = ContiguousArray<Node>()
    /// The offsets of the nodes of a sparse page, ascending.
    var offsets = ContiguousArray<UInt16>()
    var count: UInt32 = 0
    /// The number of nodes that memory was reserved for, at most a page's length; zero in a sparse
    /// page, which takes no new ones.
    var room: UInt32 = 0
    var firstFree = none
    /// The next page in the list of open pages, or of vacant ones.
    var next = none
    var isSparse = false
    /// Whether the page is in the list of open pages.
    var isOpen = false

    /// Where the node of an offset is among the nodes; nil if it is free.
    func place(of offset: Int) -> Int? {
      guard isSparse else { return offset < nodes.count ? offset : nil }
      let place = offsets.partitioningIndex(where: { $0 >= offset })
      return place < offsets.count && offsets[place] == offset ? place : nil
    }

    /// Reserves memory for twice the nodes.
    ///
    /// An array that grows by appending takes all that the allocator happens to give, and doubles
    /// that the next time.
    mutating func grow() {
      room = max(4, 2 * room)
      nodes.reserveCapacity(Int(room))
    }

    /// Keeps only the nodes in use.
    mutating func thinOut() {
      var kept = ContiguousArray<Node>()
      kept.reserveCapacity(Int(count))
      var keptOffsets = ContiguousArray<UInt16>()
      keptOffsets.reserveCapacity(Int(count))
      for place in nodes.indices where nodes[place].payload != nil {
        kept.append(nodes[place])
        keptOffsets.append(isSparse ? offsets[place] : UInt16(place))
      }
      nodes = kept
      offsets = keptOffsets
      isSparse = true
      room = 0
      firstFree = none
    }
  }

  private static var none: UInt32 { .max }
  private static var bits: Int { 10 }
  static var pageLength: Int { 1 << bits }
  /// Below this number of nodes a page that takes no new ones becomes sparse.
  private static var sparseLength: Int { pageLength * 3 / 8 }

  private var pages = ContiguousArray<Page>()
  /// Pages with free places, the one that takes new nodes first; a page that became sparse
  /// meanwhile is passed over.
  private var firstOpen = none
  /// Pages with no nodes.
  private var firstVacant = none

  /// The number of pages, including those with no nodes.
  var pageCount: Int { pages.count }

  /// The number of nodes that memory was reserved for; the allocator may have rounded it up.
  var capacity: Int { pages.reduce(0) { $0 + max(Int($1.room), $1.nodes.count) } }

  /// Adds a node and returns its index.
  mutating func insert(_ payload: Payload, number: UInt32, position: UInt32) -> UInt32 {
    let node = Node(payload: payload, number: number, position: position)
    let page = openPage()
    let offset = pages[page].firstFree
    pages[page].count += 1
    guard offset == Self.none else {
      pages[page].firstFree = pages[page].nodes[Int(offset)].position
      pages[page].nodes[Int(offset)] = node
      return UInt32(page << Self.bits) | offset
    }
    pages[page].nodes.append(node)
    return UInt32(page << Self.bits + pages[page].nodes.count - 1)
  }

  /// Where the heap has the entry of that number, nil if the node is not its any more.
  func position(at index: UInt32, number: UInt32) -> Int? {
    let page = Int(index) >> Self.bits
    guard page < pages.count, let place = pages[page].place(of: offset(of: index)) else {
      return nil
    }
    let node = pages[page].nodes[place]
    return node.number == number && node.payload != nil ? Int(node.position) : nil
  }

  /// The payload of a node in use.
  func payload(at index: UInt32) -> Payload? {
    let page = pages[Int(index) >> Self.bits]
    return page.place(of: offset(of: index)).flatMap { page.nodes[$0].payload }
  }

  /// Notes the place in the heap of a node in use.
  @inline(__always)
  mutating func setPosition(_ position: Int, at index: UInt32) {
    let page = Int(index) >> Self.bits
    let offset = offset(of: index)
    let place = pages[page].isSparse ? pages[page].place(of: offset)! : offset
    pages[page].nodes[place].position = UInt32(truncatingIfNeeded: position)
  }

  /// Gives a node in use another number.
  mutating func setNumber(_ number: UInt32, at index: UInt32) {
    let page = Int(index) >> Self.bits
    pages[page].nodes[pages[page].place(of: offset(of: index))!].number = number
  }

  /// Gives a node in use another payload.
  mutating func setPayload(_ payload: Payload, at index: UInt32) {
    let page = Int(index) >> Self.bits
    pages[page].nodes[pages[page].place(of: offset(of: index))!].payload = payload
  }

  /// Frees a node in use, and returns what was in it.
  mutating func remove(at index: UInt32) -> Payload {
    let page = Int(index) >> Self.bits
    let offset = offset(of: index)
    let place = pages[page].place(of: offset)!
    let payload = pages[page].nodes[place].payload.take()!
    pages[page].count -= 1
    if pages[page].isSparse {
      thinOut(page)
    } else {
      pages[page].nodes[place].position = pages[page].firstFree
      pages[page].firstFree = UInt32(offset)
      open(page)
    }
    return payload
  }

  private func offset(of index: UInt32) -> Int { Int(index) & (Self.pageLength - 1) }

  // MARK: Pages

  /// The page that takes a new node.
  private mutating func openPage() -> Int {
    while firstOpen != Self.none {
      let page = Int(firstOpen)
      if pages[page].count < pages[page].room { return page }
      if !pages[page].isSparse, pages[page].room < Self.pageLength {
        pages[page].grow()
        return page
      }
      firstOpen = pages[page].next
      pages[page].isOpen = false
      if pages[page].count == 0 { vacate(page) }
    }
    let page = firstVacant == Self.none ? pages.count : Int(firstVacant)
    if firstVacant == Self.none {
      pages.append(Page())
    } else {
      firstVacant = pages[page].next
      pages[page] = Page()
    }
    pages[page].grow()
    pages[page].isOpen = true
    firstOpen = UInt32(page)
    return page
  }

  /// Sees to a page of which a node was freed: it is behind the one that takes new nodes, and
  /// becomes sparse if little is left.
  private mutating func open(_ page: Int) {
    guard page != Int(firstOpen) else { return }
    if pages[page].count < Self.sparseLength { return thinOut(page) }
    guard !pages[page].isOpen else { return }
    pages[page].isOpen = true
    guard firstOpen != Self.none else { return firstOpen = UInt32(page) }
    pages[page].next = pages[Int(firstOpen)].next
    pages[Int(firstOpen)].next = UInt32(page)
  }

  private mutating func thinOut(_ page: Int) {
    let count = Int(pages[page].count)
    // Not for each node that goes: half of what was kept may be free.
    guard !pages[page].isSparse || count == 0 || 2 * count <= pages[page].nodes.count else {
      return
    }
    pages[page].thinOut()
    if count == 0, !pages[page].isOpen { vacate(page) }
  }

  private mutating func vacate(_ page: Int) {
    pages[page].next = firstVacant
    firstVacant = UInt32(page)
  }
}

extension DeadlineSlab: Sendable where Payload: Sendable {}
extension DeadlineSlab.Node: Sendable where Payload: Sendable {}
extension DeadlineSlab.Page: Sendable where Payload: Sendable {}
