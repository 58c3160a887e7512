import Pacing
import TestSupport
import Testing

@Suite("BucketState: waiters")
struct BucketWaitingTests {
  typealias Bucket = BucketState<Int>

  static func at(_ milliseconds: Nanoseconds) -> PacingInstant {
    PacingInstant(nanoseconds: milliseconds * 1_000_000)
  }

  /// Ten tokens per second, a burst of three, initially empty.
  static func bucket(burst: Int = 3) -> Bucket {
    Bucket(
      rate: .perSecond(10), burst: burst, initial: 0, queue: QueuePolicy(catchUp: .zero), at: at(0))
  }

  @discardableResult
  static func join(
    _ bucket: inout Bucket, _ name: Int, cost: Int = 1, within: Nanoseconds? = nil,
    at now: Nanoseconds = 0
  ) throws -> Bucket.Place {
    let timeout = within.map { $0 * 1_000_000 }
    guard bucket.admit(cost, within: timeout, at: at(now)) == .mustWait else { throw Refused() }
    return bucket.join(cost, as: name, within: timeout)
  }

  struct Refused: Error {}

  static func serve(_ bucket: inout Bucket, at now: Nanoseconds) -> [Int] {
    var served = [Int]()
    while let name = bucket.grantNext(at: at(now)) { served.append(name) }
    return served
  }

  @Test("are served first come first served, each when its tokens have come")
  func order() throws {
    var bucket = Self.bucket()
    try Self.join(&bucket, 1, cost: 3)
    try Self.join(&bucket, 2)
    try Self.join(&bucket, 3, cost: 2)
    #expect(bucket.waitingCount == 3)
    #expect(bucket.deadline == Self.at(300))
    let timeline = [299, 300, 399, 400, 599, 600].map { Self.serve(&bucket, at: $0) }
    #expect(timeline == [[], [1], [], [2], [], [3]])
    #expect(bucket.deadline == .distantFuture)
  }

  @Test("are not overtaken, except by a cost of nothing")
  func noOvertaking() throws {
    var bucket = Self.bucket()
    try Self.join(&bucket, 1, cost: 3)
    let small = bucket.tryAcquire(1, at: Self.at(200))
    #expect(!small)
    let nothing = bucket.tryAcquire(0, at: Self.at(200))
    #expect(nothing)
    let look = bucket.request(1, at: Self.at(200))
    #expect(
      look
        == Decision(
          isAllowed: false, remaining: 0, retryAfter: .milliseconds(200),
          resetAfter: .milliseconds(400)))
    #expect(bucket.available(at: Self.at(200)) == -1)
  }

  @Test("a wait of exactly the deadline is granted, one longer is refused and changes nothing")
  func deadlines() throws {
    var bucket = Self.bucket()
    try Self.join(&bucket, 1, cost: 2, within: 200)
    let tooEarly = bucket.admit(1, within: 299_999_999, at: Self.at(0))
    #expect(tooEarly == .refused(.deadline(neededWait: .milliseconds(300))))
    #expect(bucket.waitingCount == 1)
    try Self.join(&bucket, 3, within: 300)
    let tooMuch = bucket.admit(4, within: nil, at: Self.at(0))
    #expect(tooMuch == .refused(.exceedsBurst(cost: 4, burst: 3)))
    #expect([200, 300].map { Self.serve(&bucket, at: $0) } == [[1], [3]])
  }

  @Test("no wait at all is a try")
  func noWait() {
    var bucket = Bucket(rate: .perSecond(10), burst: 1, at: Self.at(0))
    let answers = [1, 1, 0].map { bucket.admit($0, within: 0, at: Self.at(0)) }
    #expect(
      answers == [.granted, .refused(.deadline(neededWait: .milliseconds(100))), .granted])
  }

  @Test("one that leaves frees its place and changes the deadline of the next")
  func leaving() throws {
    var bucket = Self.bucket()
    let large = try Self.join(&bucket, 1, cost: 3)
    let middle = try Self.join(&bucket, 2)
    try Self.join(&bucket, 3)
    #expect(bucket.withdraw(middle) == 2)
    #expect(bucket.withdraw(middle) == nil)
    #expect(bucket.deadline == Self.at(300))
    #expect(bucket.withdraw(large) == 1)
    #expect(bucket.deadline == Self.at(100))
    #expect(Self.serve(&bucket, at: 100) == [3])
    #expect(bucket.available(at: Self.at(100)) == 0)
  }

  @Test("a place is good once: not after its waiter was served, nor for the next one there")
  func stalePlaces() throws {
    var bucket = Self.bucket()
    let served = try Self.join(&bucket, 1)
    #expect(Self.serve(&bucket, at: 100) == [1])
    #expect(bucket.withdraw(served) == nil)
    try Self.join(&bucket, 2, at: 100)
    #expect(bucket.withdraw(served) == nil)
    #expect(bucket.waitingCount == 1)
  }

  @Test("a late timer grants late, and never more than the burst at once")
  func late() throws {
    var narrow = Self.bucket(burst: 1)
    for name in 1...3 { try Self.join(&narrow, name) }
    #expect([1000, 1099, 1100, 1200].map { Self.serve(&narrow, at: $0) } == [[1], [], [2], [3]])
    var wide = Self.bucket(burst: 3)
    for name in 1...4 { try Self.join(&wide, name) }
    #expect([1000, 1099, 1100].map { Self.serve(&wide, at: $0) } == [[1, 2, 3], [], [4]])
  }

  @Test(
    "a queue does not drift where a token takes no whole number of nanoseconds",
    arguments: [.zero, .milliseconds(10)] as [Duration])
  func noDrift(catchUp: Duration) throws {
    var bucket = Bucket(
      rate: .perMinute(7), burst: 1, initial: 0, queue: QueuePolicy(catchUp: catchUp),
      at: Self.at(0))
    for name in 1...14 { try Self.join(&bucket, name) }
    var instants = [PacingInstant]()
    for _ in 1...14 {
      instants.append(bucket.deadline)
      #expect(bucket.grantNext(at: bucket.deadline) != nil)
    }
    #expect(instants[0] == PacingInstant(nanoseconds: 8_571_428_572))
    #expect(instants[1] == PacingInstant(nanoseconds: 17_142_857_143))
    #expect(instants[6] == Self.at(60_000))
    #expect(instants[13] == Self.at(120_000))
  }

  @Test("a waiter that a late timer moves behind a reservation is refused at once, if too late")
  func missesItsPlace() throws {
    var bucket = Bucket(
      rate: .every(.milliseconds(9)), burst: 1, initial: 0,
      queue: QueuePolicy(catchUp: .milliseconds(3)), at: Self.at(0))
    #expect(bucket.admit(1, within: 12_000_000, at: Self.at(0)) == .mustWait)
    _ = bucket.join(1, as: 1, within: 12_000_000)
    #expect(try bucket.reserve(1, at: Self.at(0)).get().due == Self.at(18))
    // From 12 ms on, the first millisecond from which a grant may count, it fits at 27 ms.
    #expect(bucket.grantNext(at: Self.at(15)) == nil)
    let refused = bucket.refuseHopeless(at: Self.at(15))
    #expect(refused.map(\.error) == [.deadline(neededWait: .milliseconds(27))])
  }

  @Test("ahead of a reservation at the same instant, all are served that fit there, as was said")
  func sameInstant() throws {
    var bucket = Bucket(
      rate: .every(.milliseconds(2)), burst: 6, refill: .stepwise(every: .milliseconds(45)),
      overdraft: .nextPays, at: Self.at(0))
    let isThere = bucket.tryAcquire(7, at: Self.at(0))
    let reserved = try bucket.reserve(6, at: Self.at(0)).get()
    #expect(isThere && reserved.due == Self.at(45))
    try Self.join(&bucket, 1, within: 45)
    try Self.join(&bucket, 2, within: 45)
    #expect(Self.serve(&bucket, at: 45) == [1, 2])
  }

  @Test("a thousand come and go without leaving anything behind")
  func churn() throws {
    var bucket = Self.bucket()
    for round in 0..<3 {
      let places = try (0..<1000).map { try Self.join(&bucket, round * 1000 + $0) }
      for place in places.reversed() { #expect(bucket.withdraw(place) != nil) }
      #expect(bucket.waitingCount == 0)
      for place in places { #expect(bucket.withdraw(place) == nil) }
    }
    #expect(bucket.available(at: Self.at(0)) == 0)
    #expect(bucket.waiters.capacity <= 64, "an empty queue keeps no crowd's memory")
  }

  @Test("behind one that waits all the while, thousands come and go in the memory of a few")
  func crowdBehind() throws {
    var bucket = Self.bucket()
    try Self.join(&bucket, 0)
    for name in 1...3000 {
      let place = try Self.join(&bucket, name)
      #expect(bucket.withdraw(place) == name)
    }
    #expect(bucket.waitingCount == 1 && bucket.waiters.capacity <= 64)
  }

  @Test(
    "few that wait on give back what a crowd took, and keep their order and their places",
    arguments: [QueuePolicy.Order.oldestFirst, .newestFirst])
  func crowdGone(order: QueuePolicy.Order) throws {
    var bucket = Bucket(
      rate: .perSecond(10), burst: 1, initial: 0, queue: QueuePolicy(order: order), at: Self.at(0))
    let places = try (0..<10_000).map { try Self.join(&bucket, $0, within: 1_000_000_000) }
    #expect(bucket.waiters.capacity >= 10_000)
    for (name, place) in places.enumerated() where !name.isMultiple(of: 1_000) {
      let left = bucket.withdraw(place)
      #expect(left == name)
    }
    #expect(bucket.waitingCount == 10 && bucket.waiters.capacity <= 3 * 10 + 64)
    let hopeless = bucket.refuseHopeless(at: Self.at(0))
    #expect(hopeless.isEmpty)
    let withdrawn = [0, 1, 3_000, 3_000, 3_001].map { bucket.withdraw(places[$0]) }
    #expect(withdrawn == [0, nil, 3_000, nil, nil])
    try Self.join(&bucket, 10_000)
    let served = [1, 2, 4, 5, 6, 7, 8, 9, 10].map { 1_000 * $0 }
    let names = (1...9).flatMap { Self.serve(&bucket, at: 100 * $0) }
    #expect(names == (order == .oldestFirst ? served : served.reversed()))
  }

  @Test("once a crowd has left, the one whose deadline cannot be met is the one that is refused")
  func lateBehindACrowd() throws {
    var bucket = Self.bucket()
    let places = try (0..<100).map {
      try Self.join(&bucket, $0, within: $0 == 50 ? 10_000 : 100_000)
    }
    for (name, place) in places.enumerated() where ![20, 50, 80].contains(name) {
      let left = bucket.withdraw(place)
      // A look at the deadlines between all of those that leave.
      bucket.mayBeHopeless = true
      let hopeless = bucket.refuseHopeless(at: Self.at(0))
      #expect(left == name && hopeless.isEmpty)
    }
    bucket.pause(until: Self.at(20_000), at: Self.at(0))
    bucket.mayBeHopeless = true
    let hopeless = bucket.refuseHopeless(at: Self.at(0))
    #expect(hopeless.map(\.payload) == [50])
    #expect(Self.serve(&bucket, at: 30_000) == [20, 80])
  }

  @Test(
    "law: there is memory for three times the waiters and a constant, at every moment",
    arguments: Soak.seeds(20))
  func memory(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let isNewestFirst = Bool.random(using: &random)
    var bucket = Bucket(
      rate: .perSecond(1), burst: 1, initial: 0,
      queue: QueuePolicy(order: isNewestFirst ? .newestFirst : .oldestFirst), at: Self.at(0))
    var line = [(name: Int, place: Bucket.Place)]()
    var gone = [Bucket.Place]()
    var next = 0
    // `#expect` costs more than the step that it checks.
    func verify(_ holds: Bool) throws { if !holds { try #require(Bool(false), "seed \(seed)") } }
    for _ in 0..<8 {
      let length = [0, 1, 20, 300, 2_000].randomElement(using: &random)!
      let pops = Bool.random(using: &random)
      for _ in 0..<max(300, 2 * abs(line.count - length)) {
        if line.count < length || Bool.random(using: &random) && line.count < 2 * length {
          let isTimed = Int.random(in: 0..<8, using: &random) == 0
          let place = bucket.join(1, as: next, within: isTimed ? .never / 2 : nil)
          line.append((next, place))
          next += 1
        } else if pops, !line.isEmpty {
          let (name, place) = isNewestFirst ? line.removeLast() : line.removeFirst()
          let first = bucket.refuseFirst()
          try verify(first == name)
          gone.append(place)
        } else if let index = line.indices.randomElement(using: &random) {
          let (name, place) = line.remove(at: index)
          let left = bucket.withdraw(place)
          try verify(left == name)
          gone.append(place)
        }
        if let place = gone.randomElement(using: &random) {
          let left = bucket.withdraw(place)
          try verify(left == nil)
        }
        try verify(bucket.waitingCount == line.count)
        try verify(bucket.waiters.capacity <= 3 * line.count + 128)
      }
      bucket.mayBeHopeless = true
      let hopeless = bucket.refuseHopeless(at: Self.at(0))
      try verify(hopeless.isEmpty)
    }
    if isNewestFirst { line.reverse() }
    for (name, _) in line {
      let first = bucket.refuseFirst()
      try verify(first == name)
    }
  }
}
