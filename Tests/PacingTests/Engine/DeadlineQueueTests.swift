import Pacing
import TestSupport
import Testing

@Suite("DeadlineQueue")
struct DeadlineQueueTests {
  /// The same queue as a list with linear search.
  struct NaiveQueue {
    typealias Entry = (payload: Int, deadline: PacingInstant, call: Int)
    private(set) var entries = [Entry]()
    private var calls = 0

    var earliest: PacingInstant { entries.map(\.deadline).min() ?? .distantFuture }

    mutating func schedule(_ payload: Int, at deadline: PacingInstant) {
      entries.append((payload, deadline, calls))
      calls += 1
    }

    mutating func cancel(_ payload: Int) -> Int? {
      guard let index = entries.firstIndex(where: { $0.payload == payload }) else { return nil }
      return entries.remove(at: index).payload
    }

    mutating func move(_ payload: Int, to deadline: PacingInstant) -> Bool {
      guard cancel(payload) != nil else { return false }
      schedule(payload, at: deadline)
      return true
    }

    mutating func popDue(at now: PacingInstant) -> Int? {
      let first = entries.min { ($0.deadline, $0.call) < ($1.deadline, $1.call) }
      guard let first, first.deadline <= now else { return nil }
      return cancel(first.payload)
    }
  }

  /// Both queues under the same random calls; every handle is kept and reused.
  struct Pair {
    var queue: DeadlineQueue<Int>
    var oracle = NaiveQueue()
    var handles = [(handle: DeadlineQueue<Int>.Handle, payload: Int, isCurrent: Bool)]()
    var random: SplitMix64
    var now = 0

    mutating func schedule(_ payload: Int, within span: Int) {
      let deadline = PacingInstant.at(now + .random(in: -2..<span, using: &random))
      handles.append((queue.schedule(payload, at: deadline), payload, true))
      oracle.schedule(payload, at: deadline)
    }

    mutating func cancel() -> Bool {
      guard let entry = handles.randomElement(using: &random) else { return true }
      let expected = entry.isCurrent ? oracle.cancel(entry.payload) : nil
      return queue.cancel(entry.handle) == expected
    }

    mutating func move(within span: Int) -> Bool {
      guard let index = handles.indices.randomElement(using: &random) else { return true }
      let entry = handles[index]
      let deadline = PacingInstant.at(now + .random(in: -2..<span, using: &random))
      let moved = queue.move(entry.handle, to: deadline)
      guard entry.isCurrent, oracle.move(entry.payload, to: deadline) else { return moved == nil }
      handles[index].isCurrent = false
      guard let moved else { return false }
      handles.append((moved, entry.payload, true))
      return true
    }

    mutating func advance(by span: Int) -> Bool {
      now += span
      while let (handle, payload) = queue.popDue(at: .at(now)) {
        guard payload == oracle.popDue(at: .at(now)) else { return false }
        guard handles.contains(where: { $0.handle == handle && $0.payload == payload }) else {
          return false
        }
      }
      return oracle.popDue(at: .at(now)) == nil
    }

    var agree: Bool { queue.count == oracle.entries.count && queue.earliest == oracle.earliest }
  }

  /// With few or many equal deadlines, short and long queues, and numbers that wrap around.
  @Test(
    "is a sorted list, first come first served among equal deadlines, under random calls",
    arguments: Soak.seeds(40))
  func isASortedList(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let span = [3, 20, 1000].randomElement(using: &random)!
    let growth = Int.random(in: 2...6, using: &random)
    let firstNumbers: [UInt32] = [0, .max - 900, UInt32(Int32.max) - 900]
    let firstNumber = firstNumbers.randomElement(using: &random)!
    var pair = Pair(queue: DeadlineQueue(firstNumber: firstNumber), random: random)
    for payload in 0..<3000 {
      let isRight =
        switch Int.random(in: 0..<10, using: &pair.random) {
        case 0..<growth:
          {
            pair.schedule(payload, within: span); return true
          }()
        case growth..<(growth + 2): pair.cancel()
        case (growth + 2)..<(growth + 3): pair.move(within: span)
        default: pair.advance(by: .random(in: 0...(span / 3), using: &pair.random))
        }
      try #require(isRight && pair.agree, "seed \(seed), call \(payload)")
      if pair.handles.count > 400 { pair.handles.removeFirst(200) }
    }
    let isEmptied = pair.advance(by: 2000)
    #expect(isEmptied)
    #expect(pair.queue.count == 0)
    #expect(pair.queue.earliest == .distantFuture)
  }

  @Test("a handle is good once, and never for the entry that took its place")
  func staleHandles() throws {
    var queue = DeadlineQueue<String>()
    let fired = queue.schedule("fired", at: .at(1))
    _ = queue.popDue(at: .at(1))
    let first = queue.schedule("moved", at: .at(5))
    let moved = queue.move(first, to: .at(3))
    let second = try #require(moved)
    for handle in [fired, first] {
      let answers = (queue.cancel(handle), queue.move(handle, to: .at(0)))
      #expect(answers.0 == nil && answers.1 == nil)
    }
    #expect(queue.earliest == .at(3))
    let answers = [queue.cancel(second), queue.cancel(second)]
    #expect(answers == ["moved", nil])
    #expect(queue.count == 0)
  }

  @Test("lets go of a payload when its entry is cancelled or fires, not when its place is reused")
  func releases() {
    final class Payload {}
    var queue = DeadlineQueue<Payload>()
    weak var cancelled: Payload?
    weak var fired: Payload?
    do {
      let payloads = (Payload(), Payload())
      (cancelled, fired) = payloads
      let handle = queue.schedule(payloads.0, at: .at(1))
      _ = queue.schedule(payloads.1, at: .at(2))
      _ = queue.cancel(handle)
      _ = queue.popDue(at: .at(2))
    }
    #expect(cancelled == nil)
    #expect(fired == nil)
  }

  @Test("a deadline is due at its instant, not a nanosecond before")
  func boundary() {
    var queue = DeadlineQueue<Int>()
    let instants: [Nanoseconds] = [.min + 1, -1, 0, 7_000_000, .never - 1]
    for nanoseconds in instants {
      let deadline = PacingInstant(nanoseconds: nanoseconds)
      _ = queue.schedule(1, at: deadline)
      let early = queue.popDue(at: deadline + -1)
      let due = queue.popDue(at: deadline)
      #expect(early == nil && due != nil)
    }
  }

  @Test("a handle from before many entries went stays harmless, and room is made again")
  func givesBack() {
    var queue = DeadlineQueue<Int>()
    let handles = (0..<10_000).map { queue.schedule($0, at: .at($0)) }
    for (payload, handle) in handles.enumerated() {
      let cancelled = queue.cancel(handle)
      #expect(cancelled == payload)
    }
    let handle = queue.schedule(7, at: .at(7))
    for handle in handles {
      let (moved, cancelled) = (queue.move(handle, to: .at(1)), queue.cancel(handle))
      #expect(moved == nil && cancelled == nil)
    }
    #expect(queue.count == 1 && queue.earliest == .at(7))
    let first = queue.popDue(at: .at(7))
    #expect(first?.handle == handle && first?.payload == 7)
  }

  /// With lengths that rise and fall; the rest of a peak is scattered, or at one end.
  @Test("an entry takes the memory of one that is gone")
  func reuse() {
    var queue = DeadlineQueue<Int>()
    _ = queue.schedule(0, at: .at(0))
    for number in 0..<10_000 {
      let handle = queue.schedule(number, at: .at(number))
      _ = queue.cancel(handle)
    }
    #expect(queue.count == 1 && queue.capacity <= 4096)
  }

  @Test(
    "law: a handle names its entry as long as that is pending; memory follows what was pending",
    arguments: Soak.seeds(6))
  func memory(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var queue = DeadlineQueue<Int>()
    var live = [(handle: DeadlineQueue<Int>.Handle, payload: Int)]()
    var stale = [DeadlineQueue<Int>.Handle]()
    // `#expect` costs more than the step that it checks.
    func verify(_ holds: Bool) throws { if !holds { try #require(Bool(false), "seed \(seed)") } }
    func outdate(_ handle: DeadlineQueue<Int>.Handle) {
      if stale.count < 100 { stale.append(handle) } else { stale[next % 100] = handle }
    }
    var next = 0
    var peak = 0
    for round in 0..<8 {
      let any = [0, 1, 50, 3000, 12_000].randomElement(using: &random)!
      // Whatever the seed, once nothing is left of a peak.
      let length = round == 3 ? 12_000 : round == 4 ? 0 : any
      let isScattered = Bool.random(using: &random)
      while live.count != length {
        if live.count < length {
          let deadline = PacingInstant.at(.random(in: 0..<1_000_000, using: &random))
          live.append((queue.schedule(next, at: deadline), next))
          next += 1
        } else {
          if isScattered {
            live.swapAt(.random(in: live.indices, using: &random), live.count - 1)
          }
          let (handle, payload) = live.removeLast()
          let cancelled = queue.cancel(handle)
          try verify(cancelled == payload)
          outdate(handle)
        }
        if let index = live.indices.randomElement(using: &random), index.isMultiple(of: 4) {
          outdate(live[index].handle)
          let moved = queue.move(live[index].handle, to: .at(index))
          live[index].handle = try #require(moved, "seed \(seed)")
        }
        if let handle = stale.randomElement(using: &random) {
          let cancelled = queue.cancel(handle)
          try verify(cancelled == nil)
        }
        peak = live.isEmpty ? 0 : max(peak, live.count)
        try verify(queue.count == live.count && queue.capacity <= 4096 + 2 * peak)
      }
    }
    var left = Set(live.map(\.payload))
    var last = PacingInstant.distantPast
    while case let earliest = queue.earliest, let due = queue.popDue(at: .distantFuture) {
      try verify(earliest >= last && left.remove(due.payload) != nil)
      last = earliest
    }
    #expect(left.isEmpty)
  }

  @Test("keeps the order of equal deadlines while the numbers of the calls wrap around")
  func wrapsAround() {
    var queue = DeadlineQueue<Int>(firstNumber: .max - 3)
    for payload in 0..<8 { _ = queue.schedule(payload, at: .at(1)) }
    let order = (0..<8).map { _ in queue.popDue(at: .at(1))?.payload }
    #expect(order == [0, 1, 2, 3, 4, 5, 6, 7])
  }
}
