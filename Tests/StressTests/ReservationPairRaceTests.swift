import Pacing
import PacingTesting
import TestSupport
import Testing

/// Three reserved tokens of a bucket, and a task that waits for them.
///
/// An outcome is the task's fate (r returned, x cancelled), and how many of the ten tokens added by
/// the end remain.
private final class Booking: Sendable {
  private let clock = ManualClock()
  private let bucket: TokenBucket
  private let reservation: Reservation
  private let waiter: Task<Void, Never>
  private let fate = EventRecorder<String>()

  init() throws {
    bucket = TokenBucket(rate: .perSecond(1), burst: 10, initial: 0, clock: clock)
    reservation = try bucket.reserve(3)
    waiter = clock.run { [reservation, fate, clock] in
      do {
        try await reservation.ready()
        #expect(clock.now >= reservation.instant)
        fate.record("r")
      } catch {
        fate.record("x")
      }
    }
  }

  func perform(_ call: ReservationPairRaceTests.Call) {
    switch call {
    case .cancel: reservation.cancel()
    case .settle: reservation.settle(actual: 1)
    case .leave: waiter.cancel()
    case .due: clock.advance(by: .seconds(4))
    }
  }

  func outcome() -> String {
    clock.runReady()
    clock.advance(to: PacingInstant(nanoseconds: 10_000_000_000))
    #expect(clock.pendingCount == 0 && !reservation.cancel())
    return "\(fate.values.joined())\(bucket.available)"
  }
}

@Suite("Reservations: every two calls that can meet", .alone)
struct ReservationPairRaceTests {
  enum Call: CaseIterable, Comparable { case cancel, settle, leave, due }

  typealias Pair = CallPair<Call>

  /// A cancelled reservation is refunded once, and its waiter never passes.
  static let pairs = [
    Pair(.cancel, .cancel, ["x10"]),
    Pair(.cancel, .settle, ["x10", "r9"]),
    Pair(.cancel, .leave, ["x10"]),
    Pair(.cancel, .due, ["x10", "r7"]),
    Pair(.settle, .settle, ["r9"]),
    Pair(.settle, .leave, ["x9", "x10"]),
    Pair(.settle, .due, ["r9"]),
    Pair(.leave, .leave, ["x10"]),
    Pair(.leave, .due, ["x10", "r7"]),
    Pair(.due, .due, ["r7"]),
  ]

  @Test("the table names every pair")
  func table() {
    #expect(Call.pairs(leftOutOf: Self.pairs.map { ($0.first, $0.second) }) == [])
  }

  @Test("tokens come back once or not at all, as the pair's row in the table", arguments: pairs)
  func meet(pair: Pair) throws {
    let meeting = Meeting()
    for round in Soak.seeds(100) {
      let booking = try Booking()
      _ = meeting.of({ booking.perform(pair.first) }, { booking.perform(pair.second) })
      let outcome = booking.outcome()
      #expect(pair.outcomes.contains(outcome), "round \(round): \(outcome)")
    }
  }
}
