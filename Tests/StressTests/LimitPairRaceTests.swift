import Pacing
import PacingTesting
import TestSupport
import Testing

/// A limit of one token per second that is empty, and a caller that waits for it.
///
/// Fates: g granted, w withdrawn, c refused because the limit is closed, - still waiting; brackets
/// enclose more than one. The first fate is that of the waiting caller; those of later callers
/// follow, and a t for each try that got a token.
private final class Line: Sendable {
  enum Kind: CaseIterable { case bucket, limiter }

  private struct Face: Sendable {
    let acquire:
      @Sendable (@escaping @Sendable (Result<Charge, AcquireError>) -> Void) -> Acquisition
    let tryAcquire: @Sendable () -> Bool
    let close: @Sendable () -> Void
    let pause: @Sendable () -> Void
    let reset: @Sendable () -> Void
  }

  private let clock = ManualClock()
  private let face: Face
  private let waiter = EventRecorder<String>()
  private let others = EventRecorder<EventRecorder<String>>()
  private let tries = Counter()
  private let handle = Slot<Acquisition>()

  init(_ kind: Kind) {
    switch kind {
    case .bucket:
      let bucket = TokenBucket(rate: .perSecond(1), burst: 1, initial: 0, clock: clock)
      face = Face(
        acquire: { bucket.acquire(on: .shared, completion: $0) },
        tryAcquire: { bucket.tryAcquire() },
        close: { bucket.close() }, pause: { bucket.pause(for: .seconds(5)) },
        reset: { bucket.reset() })
    case .limiter:
      let limiter = RateLimiter(.slidingWindow(1, per: .seconds(1)), clock: clock)
      #expect(limiter.tryAcquire())
      face = Face(
        acquire: { limiter.acquire(on: .shared, completion: $0) },
        tryAcquire: { limiter.tryAcquire() },
        close: { limiter.close() }, pause: { limiter.pause(for: .seconds(5)) },
        reset: { limiter.reset() })
    }
    handle.put(join(waiter))
  }

  private func join(_ fate: EventRecorder<String>) -> Acquisition {
    face.acquire { result in
      switch result {
      case .success: fate.record("g")
      case .failure(let error): fate.record(error == .closed ? "c" : "\(error)")
      }
    }
  }

  func perform(_ call: LimitPairRaceTests.Call) {
    switch call {
    case .grant: clock.advance(by: .seconds(1))
    case .cancel: if handle.value!.cancel() { waiter.record("w") }
    case .acquire:
      let fate = EventRecorder<String>()
      others.record(fate)
      _ = join(fate)
    case .tryAcquire: if face.tryAcquire() { tries.add() }
    case .close: face.close()
    case .pause: face.pause()
    case .reset: face.reset()
    }
  }

  func outcome() -> String {
    clock.advance(by: .zero)
    let fates = ([waiter] + others.values).map { fate in
      let fates = fate.values.joined()
      return fates.count < 2 ? fates.isEmpty ? "-" : fates : "[\(fates)]"
    }
    face.close()
    #expect(clock.pendingCount == 0)
    return fates.joined() + String(repeating: "t", count: tries.value)
  }
}

@Suite("Limits: every two calls that can meet", .alone)
struct LimitPairRaceTests {
  enum Call: CaseIterable, Comparable {
    case grant, cancel, acquire, tryAcquire, close, pause, reset
  }

  typealias Pair = CallPair<Call>

  /// No caller overtakes a waiting one; a cancel and a close win over a grant not yet made.
  static let pairs = [
    Pair(.grant, .grant, ["g"]),
    Pair(.grant, .cancel, ["g", "w"]),
    Pair(.grant, .acquire, ["g-"]),
    Pair(.grant, .tryAcquire, ["g"]),
    Pair(.grant, .close, ["g", "c"]),
    Pair(.grant, .pause, ["g", "-"]),
    Pair(.grant, .reset, ["g"]),
    Pair(.cancel, .cancel, ["w"]),
    Pair(.cancel, .acquire, ["w-"]),
    Pair(.cancel, .tryAcquire, ["w"]),
    Pair(.cancel, .close, ["w", "c"]),
    Pair(.cancel, .pause, ["w"]),
    Pair(.cancel, .reset, ["w", "g"]),
    Pair(.acquire, .acquire, ["---"]),
    Pair(.acquire, .tryAcquire, ["--"]),
    Pair(.acquire, .close, ["cc"]),
    Pair(.acquire, .pause, ["--"]),
    Pair(.acquire, .reset, ["g-"]),
    Pair(.tryAcquire, .tryAcquire, ["-"]),
    Pair(.tryAcquire, .close, ["c"]),
    Pair(.tryAcquire, .pause, ["-"]),
    Pair(.tryAcquire, .reset, ["g"]),
    Pair(.close, .close, ["c"]),
    Pair(.close, .pause, ["c"]),
    Pair(.close, .reset, ["c", "g"]),
    Pair(.pause, .pause, ["-"]),
    Pair(.pause, .reset, ["-", "g"]),
    Pair(.reset, .reset, ["g"]),
  ]

  @Test("the table names every pair")
  func table() {
    #expect(Call.pairs(leftOutOf: Self.pairs.map { ($0.first, $0.second) }) == [])
  }

  @Test("who waits has one fate, and the pair only the outcomes of the table", arguments: pairs)
  func meet(pair: Pair) {
    let meeting = Meeting()
    for kind in Line.Kind.allCases {
      for round in Soak.seeds(50) {
        let line = Line(kind)
        _ = meeting.of({ line.perform(pair.first) }, { line.perform(pair.second) })
        let outcome = line.outcome()
        #expect(pair.outcomes.contains(outcome), "\(kind), round \(round): \(outcome)")
      }
    }
  }

  @Test("a token that comes while a task begins to wait for it is granted")
  func tasks() async throws {
    let meeting = Meeting()
    let bucket = TokenBucket(rate: .none, burst: 10, initial: 0)
    for _ in Soak.seeds(10_000) {
      let (outcome, _) = await meeting.of(
        { await Result { try await bucket.acquire() } }, { bucket.add(1) })
      _ = try outcome.get()
    }
    #expect(bucket.available == 0 && bucket.waitingCount == 0)
  }

  @Test("a task that is cancelled while it begins to wait waits no longer, and takes nothing")
  func cancelledTasks() async {
    let meeting = Meeting()
    let bucket = TokenBucket(rate: .none, burst: 10, initial: 0)
    for _ in Soak.seeds(500) {
      let outcome = await canceller { cancel in
        await meeting.of({ await Result { try await bucket.acquire() } }, cancel).0
      }
      #expect(throws: CancellationError.self) { try outcome.get() }
    }
    #expect(bucket.available == 0 && bucket.waitingCount == 0)
  }

  @Test("two threads have what the quota gives each key, and no more")
  func keys() {
    let meeting = Meeting()
    let clock = ManualClock()
    for _ in Soak.seeds(300) {
      let limiter = KeyedRateLimiter<Int>(
        rate: .perSecond(1), burst: 3, maximumKeys: 10, clock: clock)
      let take: @Sendable () -> [Int] = {
        (0..<2).map { key in (0..<2).count(where: { _ in limiter.tryAcquire(for: key) }) }
      }
      let (first, second) = meeting.of(take, take)
      let sums = zip(first, second).map(+)
      #expect(sums == [3, 3])
    }
  }
}
