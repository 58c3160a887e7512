import Pacing
import PacingTesting
import TestSupport
import Testing

/// A key of a keyed limiter whose bucket is empty, and a caller that waits for its next token.
///
/// Fates: g granted, w withdrawn, c refused because the limiter is closed, - still waiting. The
/// first is that of the waiting caller; those of later callers follow, and a t for each request for
/// several keys that is allowed.
private final class KeyLine: Sendable {
  private let clock = ManualClock()
  private let start: PacingInstant
  private let limiter: KeyedRateLimiter<Int>
  private let handle = Slot<Acquisition>()
  private let waiter = EventRecorder<String>()
  private let others = EventRecorder<EventRecorder<String>>()
  private let allowed = Counter()
  /// The calls that the limiter counts.
  private let calls = Counter()

  init(hasAnyLimits: Bool) {
    start = clock.now
    limiter =
      hasAnyLimits
      ? KeyedRateLimiter(maximumKeys: 10, clock: clock) { _ in
        [.tokenBucket(rate: .perSecond(1), burst: 3), .slidingWindow(9, per: .seconds(1))]
      }
      : KeyedRateLimiter(rate: .perSecond(1), burst: 3, maximumKeys: 10, clock: clock)
    #expect(limiter.tryAcquire(3, for: 1))
    calls.add()
    handle.put(join(waiter))
  }

  private func join(_ fate: EventRecorder<String>) -> Acquisition {
    calls.add()
    return limiter.acquire(for: 1) { result in
      switch result {
      case .success: fate.record("g")
      case .failure(let error): fate.record(error == .closed ? "c" : "\(error)")
      }
    }
  }

  func perform(_ call: KeyedLimitPairRaceTests.Call) {
    switch call {
    case .leave: if handle.value!.cancel() { waiter.record("w") }
    case .grant: clock.advance(to: start + 1_000_000_000)
    case .acquire:
      let fate = EventRecorder<String>()
      others.record(fate)
      _ = join(fate)
    case .several:
      calls.add()
      if limiter.request(for: [1, 2]).decision.isAllowed { allowed.add() }
    case .pause: limiter.pause(1, for: .seconds(5))
    case .reset: limiter.reset(1)
    case .close: limiter.close()
    }
  }

  func outcome() -> String {
    clock.runReady()
    let fates = ([waiter] + others.values).map { fate in
      fate.values.isEmpty ? "-" : fate.values.joined()
    }
    let counts = limiter.statistics
    let decided = counts.granted + counts.refused + counts.withdrawn
    #expect(decided + limiter.waitingCount == calls.value, "\(counts)")
    limiter.close()
    #expect(clock.pendingCount == 0 && limiter.waitingCount == 0)
    return fates.joined() + String(repeating: "t", count: allowed.value)
  }
}

@Suite("KeyedRateLimiter: every two calls that can meet", .alone)
struct KeyedLimitPairRaceTests {
  enum Call: CaseIterable, Comparable {
    case leave, grant, acquire, several, pause, reset, close
  }

  typealias Pair = CallPair<Call>

  /// A key's queue ends with its last waiter; a caller that meets it looks the key up again.
  static let pairs = [
    Pair(.leave, .leave, ["w"]),
    Pair(.leave, .grant, ["w", "g"]),
    Pair(.leave, .acquire, ["w-"]),
    Pair(.leave, .several, ["w"]),
    Pair(.leave, .pause, ["w"]),
    Pair(.leave, .reset, ["w", "g"]),
    Pair(.leave, .close, ["w", "c"]),
    Pair(.grant, .grant, ["g"]),
    Pair(.grant, .acquire, ["g-"]),
    Pair(.grant, .several, ["g"]),
    Pair(.grant, .pause, ["g", "-"]),
    Pair(.grant, .reset, ["g"]),
    Pair(.grant, .close, ["g", "c"]),
    Pair(.acquire, .acquire, ["---"]),
    Pair(.acquire, .several, ["--"]),
    Pair(.acquire, .pause, ["--"]),
    Pair(.acquire, .reset, ["gg"]),
    Pair(.acquire, .close, ["cc"]),
    Pair(.several, .several, ["-"]),
    Pair(.several, .pause, ["-"]),
    Pair(.several, .reset, ["g", "gt"]),
    Pair(.several, .close, ["c"]),
    Pair(.pause, .pause, ["-"]),
    Pair(.pause, .reset, ["g"]),
    Pair(.pause, .close, ["c"]),
    Pair(.reset, .reset, ["g"]),
    Pair(.reset, .close, ["g", "c"]),
    Pair(.close, .close, ["c"]),
  ]

  @Test("the table names every pair")
  func table() {
    #expect(Call.pairs(leftOutOf: Self.pairs.map { ($0.first, $0.second) }) == [])
  }

  @Test(
    "the waiter has one fate, and each call is counted once", arguments: pairs, [false, true])
  func meet(pair: Pair, hasAnyLimits: Bool) {
    let meeting = Meeting()
    for round in Soak.seeds(200) {
      let line = KeyLine(hasAnyLimits: hasAnyLimits)
      _ = meeting.of({ line.perform(pair.first) }, { line.perform(pair.second) })
      let outcome = line.outcome()
      #expect(pair.outcomes.contains(outcome), "round \(round): \(outcome)")
    }
  }
}
