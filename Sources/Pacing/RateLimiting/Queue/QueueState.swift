/// Waiters and what they wait for, as a pure value: the state behind a `LimitQueue`.
package protocol QueueState<Payload>: SendableMetatype {
  /// The value that waits in the queue.
  associatedtype Payload

  typealias Place = WaiterQueue<Payload>.Place

  /// Whether `tryPlainly` may decide: there are no waiters and no other special state.
  var isPlain: Bool { get }

  /// The instant at which a timer must `review`, `distantFuture` if none is needed.
  var deadline: PacingInstant { mutating get }

  /// How much later than the deadline the review may come, so that waiters share a wake, without a
  /// loss to any of them.
  var tolerance: Nanoseconds { get }

  /// Spends `cost` if it is available; requires a plain state.
  mutating func tryPlainly(_ cost: Int, at now: PacingInstant) -> Bool

  /// Spends `cost` if it is available and there are no waiters.
  mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool

  /// Serves the waiters that are due, and refuses those that can no longer be served in time.
  mutating func review(at now: PacingInstant, telling decided: inout DecidedRequests<Payload>)

  /// Grants a request, refuses it, or puts it in the queue.
  mutating func enter(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, at now: PacingInstant,
    telling decided: inout DecidedRequests<Payload>, _ request: () -> Payload
  ) -> Entrance<Payload>

  /// Removes a request that leaves the queue, nil if it was already decided.
  mutating func leave(
    _ place: Place, at now: PacingInstant, telling decided: inout DecidedRequests<Payload>
  ) -> Payload?

  /// Closes the limit: waiters are told `outcome`.
  mutating func close(
    _ outcome: Turn.Outcome, at now: PacingInstant,
    telling decided: inout DecidedRequests<Payload>)
}

extension QueueState {
  package var tolerance: Nanoseconds { 0 }
}

/// How a caller enters a queue.
package enum Entrance<Payload> {
  /// It was decided immediately.
  case decided(Turn.Outcome)
  /// It waits in a place.
  case waiting(WaiterQueue<Payload>.Place)
}

extension Entrance: Sendable where Payload: Sendable {}
