/// What a limit has charged a caller that waited for it, to be corrected when the real cost is
/// known.
///
/// ```swift
/// let spent = try await model.acquire([.requests: 1, .tokens: 1800])
/// let answer = try await ask(question)
/// spent.settle([.tokens: answer.tokenCount])
/// ```
///
/// Settle or cancel a charge once: nothing stops a second call. A charge that is only dropped stays
/// as it is. One by an integer is settled on all parts that the limit has by then. A charge does
/// not retain its limit.
public struct Charge: Refundable, Sendable {
  let queue: LimitQueue

  /// What was charged.
  public let costs: Costs

  /// The instant from which the grant counts.
  public let instant: PacingInstant

  /// Corrects the charge to what the call really cost.
  ///
  /// What was charged too much is given back now: to a bucket up to a full one, to a window if the
  /// charge still counts in it. What is missing is charged now, even into debt. Parts that are not
  /// named stay as charged.
  ///
  /// - Parameter costs: The real cost; an integer only if an integer was charged.
  /// - Precondition: The limit has a part for each name.
  public func settle(_ costs: Costs) {
    queue.update { $0.settle(self.costs, as: costs, chargedAt: instant) }
  }

  /// As `settle(_:)`, with the same cost for each part.
  public func settle(_ cost: Int) { settle(Costs(cost)) }

  /// Gives all of the charge back, for work that was not done.
  public func cancel() { queue.update { $0.cancel(costs, chargedAt: instant) } }

  func releasePermit(_ outcome: PermitOutcome) {
    queue.decide { $0.state.releasePermit(outcome, takenAt: instant) }
  }
}

/// A charge, of a key or not, that can be given back.
protocol Refundable { func cancel() }

/// A handle of a request that was made with a completion closure.
///
/// Dropping the handle does not withdraw the request.
public struct Acquisition: Sendable {
  /// Nil if the request was decided immediately.
  private let waiter: LimitWaiter?

  /// The wait reckoned at the call, as if all waiters ahead are served and nothing else changes.
  ///
  /// Zero if the request was decided immediately; nil if no time can be named, because a permit
  /// must come back or tokens never accrue.
  public let expectedWait: Duration?

  /// Withdraws the request if it has not been decided yet.
  ///
  /// A withdrawn request spends nothing, gives its place in the queue to the next waiter, and its
  /// completion is never called.
  ///
  /// - Returns: Whether the request was withdrawn; false if it was already granted, refused or
  ///   withdrawn.
  @discardableResult
  public func cancel() -> Bool { waiter.map { $0.queue.withdraw($0) } ?? false }

  /// Tells a completion what was decided at once.
  init(_ entrance: QueueContents.Entrance, _ complete: LimitWaiter.Completion) {
    switch entrance {
    case .decided(let outcome):
      complete(outcome)
      (waiter, expectedWait) = (nil, .zero)
    case .waiting(let waiter, let expected): (self.waiter, expectedWait) = (waiter, expected)
    }
  }
}
