internal import Pacing

/// The calls in flight, at most one per key, and the requests that queue behind each.
struct Flights: Sendable {
  typealias Outcome = Result<Decision, StoreFault>

  /// A request waiting for a call.
  struct Passenger: Sendable {
    let cost: Int
    /// The request's own: the key's quota may change while it waits.
    let terms: BucketTerms
    /// Resolved before its call if it has waited for too long.
    let answer: OneShot<Outcome>

    /// Whether one call can ask for both.
    func sharesCall(with other: Passenger) -> Bool {
      cost == other.cost && terms == other.terms
    }
  }

  /// A call to make: requests of equal cost and terms in FIFO order, and a lease.
  struct Departure: Sendable {
    let name: String
    let terms: BucketTerms
    let cost: Int
    let passengers: [Passenger]
    let leases: Int
    let begun: PacingInstant
    /// Whether it follows another call.
    let isFollowUp: Bool

    var inquiry: Inquiry {
      Inquiry(name, terms, cost: cost, count: passengers.count + leases)
    }
  }

  /// The outcomes to deliver, and the next call to make.
  struct Landing: Sendable {
    var outcomes = [(answer: OneShot<Outcome>, outcome: Outcome)]()
    var next: Departure?
  }

  private var gathered = [String: [Passenger]]()

  /// Starts a call for a request, or queues the request for the next call.
  mutating func board(
    _ passenger: Passenger, _ name: String, _ memory: inout KeyMemory, at now: PacingInstant
  ) -> Departure? {
    guard gathered[name] == nil else {
      gathered[name]!.append(passenger)
      return nil
    }
    gathered[name] = []
    return depart(with: [passenger], name, &memory, isFollowUp: false, at: now)
  }

  private func depart(
    with passengers: [Passenger], _ name: String, _ memory: inout KeyMemory, isFollowUp: Bool,
    at now: PacingInstant
  ) -> Departure {
    let (cost, terms) = (passengers[0].cost, passengers[0].terms)
    let leases = memory.beginCall(cost, name, terms, at: now)
    return Departure(
      name: name, terms: terms, cost: cost, passengers: passengers, leases: leases, begun: now,
      isFollowUp: isFollowUp)
  }

  /// Ends a call without an answer.
  ///
  /// Requests queued behind it share the failure, so that no request waits for two timeouts.
  mutating func fail(_ departure: Departure, _ fault: StoreFault) -> Landing {
    let others = gathered.removeValue(forKey: departure.name) ?? []
    return Landing(
      outcomes: (departure.passengers + others).map { ($0.answer, .failure(fault)) })
  }

  /// Ends a call with its answer, and starts the next one for the requests queued behind it.
  mutating func land(
    _ departure: Departure, _ reply: Inquiry.Reply, _ memory: inout KeyMemory, at now: PacingInstant
  ) -> Landing {
    let terms = departure.terms
    let granted = min(reply.granted, departure.passengers.count)
    memory.note(debt: reply.debts[0], departure.name, terms, askedAt: departure.begun)
    memory.noteSpent(
      granted * departure.cost, leased: (reply.granted - granted) * departure.cost, departure.name,
      terms, askedAt: departure.begun)
    var landing = Landing()
    for (index, passenger) in departure.passengers.enumerated() {
      let isAllowed = index < granted
      // Excludes the costs of the requests after this one.
      let later = isAllowed ? Int64(reply.granted - 1 - index) * terms.units(departure.cost) : 0
      let decision = terms.decision(
        departure.cost, isAllowed: isAllowed, debt: reply.debts[0] - later, source: .store)
      landing.outcomes.append((passenger.answer, .success(decision)))
    }
    next(departure, &landing, &memory, at: now)
    return landing
  }

  private mutating func next(
    _ departure: Departure, _ landing: inout Landing, _ memory: inout KeyMemory,
    at now: PacingInstant
  ) {
    var rest = [Passenger]()
    for passenger in gathered[departure.name] ?? [] where !passenger.answer.isResolved {
      let known = memory.decide(passenger.cost, departure.name, passenger.terms, at: now)
      if let known {
        landing.outcomes.append((passenger.answer, .success(known)))
      } else {
        rest.append(passenger)
      }
    }
    guard let first = rest.first else {
      gathered[departure.name] = nil
      return
    }
    gathered[departure.name] = rest.filter { !$0.sharesCall(with: first) }
    landing.next = depart(
      with: rest.filter { $0.sharesCall(with: first) }, departure.name, &memory, isFollowUp: true,
      at: now)
  }
}
