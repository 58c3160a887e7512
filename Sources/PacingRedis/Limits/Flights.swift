internal import Pacing

/// The calls in flight, at most one per key, and the requests that queue behind each.
struct Flights: Sendable {
  typealias Outcome = Result<Decision, StoreFault>

  /// What a request asks for; requests that ask for the same share a call.
  struct Fare: Hashable, Sendable {
    let cost: Int
    /// The request's own: the key's quota may change while it waits.
    let terms: BucketTerms
  }

  /// A request waiting for a call.
  struct Passenger: Sendable {
    let fare: Fare
    /// Resolved before its call if it has waited for too long.
    let answer: OneShot<Outcome>
  }

  /// The requests that queue behind a call, in groups of equal fare.
  private struct Queue: Sendable {
    /// The fares in the order of their first requests.
    private var fares = FIFO<Fare>()
    private var groups = [Fare: [Passenger]]()

    mutating func append(_ passenger: Passenger) {
      if groups[passenger.fare] == nil { fares.append(passenger.fare) }
      groups[passenger.fare, default: []].append(passenger)
    }

    mutating func popFirst() -> [Passenger]? {
      fares.popFirst().flatMap { groups.removeValue(forKey: $0) }
    }
  }

  /// A call to make: requests of equal fare in FIFO order, and a lease.
  struct Departure: Sendable {
    let name: BucketName
    let fare: Fare
    let passengers: [Passenger]
    let leases: Int
    let begun: PacingInstant
    /// Whether it follows another call.
    let isFollowUp: Bool

    var inquiry: Inquiry {
      Inquiry(name.text, fare.terms, cost: fare.cost, count: passengers.count + leases)
    }
  }

  /// The outcomes to deliver, and the next call to make.
  struct Landing: Sendable {
    var outcomes = [(answer: OneShot<Outcome>, outcome: Outcome)]()
    var next: Departure?
  }

  private var gathered = [BucketName: Queue]()

  /// Starts a call for a request, or queues the request for the next call.
  mutating func board(
    _ passenger: Passenger, _ name: BucketName, _ memory: inout KeyMemory, at now: PacingInstant
  ) -> Departure? {
    guard gathered[name] == nil else {
      gathered[name]!.append(passenger)
      return nil
    }
    gathered[name] = Queue()
    return depart(with: [passenger], name, &memory, isFollowUp: false, at: now)
  }

  private func depart(
    with passengers: [Passenger], _ name: BucketName, _ memory: inout KeyMemory, isFollowUp: Bool,
    at now: PacingInstant
  ) -> Departure {
    let fare = passengers[0].fare
    let leases = memory.beginCall(fare.cost, name, fare.terms, at: now)
    return Departure(
      name: name, fare: fare, passengers: passengers, leases: leases, begun: now,
      isFollowUp: isFollowUp)
  }

  /// Ends a call without an answer.
  ///
  /// Requests queued behind it share the failure, so that no request waits for two timeouts.
  mutating func fail(_ departure: Departure, _ fault: StoreFault) -> Landing {
    var passengers = departure.passengers
    while let others = gathered[departure.name]?.popFirst() { passengers += others }
    gathered[departure.name] = nil
    return Landing(outcomes: passengers.map { ($0.answer, .failure(fault)) })
  }

  /// Ends a call with its answer, and starts the next one for the requests queued behind it.
  mutating func land(
    _ departure: Departure, _ reply: Inquiry.Reply, _ memory: inout KeyMemory, at now: PacingInstant
  ) -> Landing {
    let (cost, terms) = (departure.fare.cost, departure.fare.terms)
    let granted = min(reply.granted, departure.passengers.count)
    memory.note(debt: reply.debts[0], departure.name, terms, askedAt: departure.begun)
    memory.noteSpent(
      granted * cost, leased: (reply.granted - granted) * cost, departure.name, terms,
      askedAt: departure.begun)
    var landing = Landing()
    for (index, passenger) in departure.passengers.enumerated() {
      let isAllowed = index < granted
      // Excludes the costs of the requests after this one.
      let later = isAllowed ? Int64(reply.granted - 1 - index) * terms.units(cost) : 0
      let decision = terms.decision(
        cost, isAllowed: isAllowed, debt: reply.debts[0] - later, source: .store)
      landing.outcomes.append((passenger.answer, .success(decision)))
    }
    next(departure, &landing, &memory, at: now)
    return landing
  }

  /// Answers the requests that need no call any more, and starts the call of the first that does.
  ///
  /// - Complexity: O(1) amortised over the requests: each group is taken once.
  private mutating func next(
    _ departure: Departure, _ landing: inout Landing, _ memory: inout KeyMemory,
    at now: PacingInstant
  ) {
    let name = departure.name
    while let group = gathered[name]?.popFirst() {
      var rest = [Passenger]()
      for passenger in group where !passenger.answer.isResolved {
        let fare = passenger.fare
        if let known = memory.decide(fare.cost, name, fare.terms, at: now) {
          landing.outcomes.append((passenger.answer, .success(known)))
        } else {
          rest.append(passenger)
        }
      }
      guard rest.isEmpty else {
        landing.next = depart(with: rest, name, &memory, isFollowUp: true, at: now)
        return
      }
    }
    gathered[name] = nil
  }
}
