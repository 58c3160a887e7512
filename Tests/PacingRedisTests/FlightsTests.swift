import Pacing
import TestSupport
import Testing

@testable import PacingRedis

@Suite("Flights")
struct FlightsTests {
  private let terms: BucketTerms
  private let now = PacingInstant(nanoseconds: 0)

  init() throws {
    terms = try BucketTerms(Quota(rate: .perSecond(1), burst: 1_000_000))
  }

  private func passenger(_ cost: Int) -> Flights.Passenger {
    Flights.Passenger(fare: Flights.Fare(cost: cost, terms: terms), answer: OneShot())
  }

  /// The costs of the requests of each call, if all gather behind the first one.
  private func calls(_ passengers: [Flights.Passenger]) -> [[Int]] {
    var flights = Flights()
    var memory = KeyMemory(atLeast: 1, lease: nil)
    let departures = passengers.map { flights.board($0, BucketName("a"), &memory, at: now) }
    var calls = [[Int]]()
    var next = departures[0]
    while let departure = next {
      calls.append(departure.passengers.map { $0.fare.cost })
      let reply = Inquiry.Reply(granted: departure.passengers.count, debts: [0])
      next = flights.land(departure, reply, &memory, at: now).next
    }
    return calls
  }

  @Test("requests of equal cost share a call, at the turn of the first; those resolved make none")
  func groups() {
    let passengers = [1, 2, 3, 2, 4, 1, 3].map(passenger)
    passengers[2].answer.resolve(.failure(.late))
    passengers[4].answer.resolve(.failure(.late))
    #expect(calls(passengers) == [[1], [2, 2], [3], [1]])
  }

  // Eight times as many take 8 times as long if linear, 64 times if quadratic: the bound lies
  // between.
  @Test("the calls of very many requests take a time that grows with their number")
  func isLinear() {
    func time(_ count: Int) -> Duration {
      ThreadTime.least { #expect(calls((1...count).map(passenger)).count == count) }
    }
    let (small, large) = (time(500), time(4_000))
    #expect(large < small * 24, "\(small) for 500, \(large) for 4,000")
  }
}
