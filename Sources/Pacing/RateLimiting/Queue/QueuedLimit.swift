/// A limit whose tokens accrue in time and its waiters, as a pure value.
///
/// The queries assume that all waiters that are due have been served, which the queue ensures. What
/// all limits have in common is in `QueuedLimit+Verbs.swift` (calls) and
/// `QueuedLimit+Serving.swift` (waiters).
package protocol QueuedLimit<Payload>: QueueState {
  /// The limit's future spends.
  associatedtype Projection: LimitProjection

  typealias Refusal = WaiterQueue<Payload>.Refusal

  var waiters: WaiterQueue<Payload> { get set }

  var statistics: LimitStatistics { get set }

  /// Whether the limit is closed and grants nothing.
  var isClosed: Bool { get set }

  /// Whether waiters may have become hopeless since the last review.
  var mayBeHopeless: Bool { get set }

  /// Whether some waiters' costs may exceed the capacity since the last review.
  var mustReviewCosts: Bool { get set }

  /// Waiters whose deadline had passed when their turn came, for `refuseHopeless` to return.
  var overdue: [Refusal] { get set }

  /// The instant from which the latest grant to a waiter counts.
  var countedFrom: PacingInstant { get set }

  /// When the waiters are served, nil if it must be computed when needed.
  var forecast: QueueForecast<Projection>? { get set }

  /// Whether a grant that comes later, or a waiter that leaves, delays no waiter by more than that.
  var boundsDelays: Bool { get }

  /// The latest instant seen; an earlier one counts as this one.
  var latest: PacingInstant { get }

  /// The most that can be available at once.
  var capacity: Int { get }

  /// Clamps the time, and spends the reservations due by then.
  mutating func advance(until now: PacingInstant)

  /// As `request`; requires a plain state.
  mutating func requestPlainly(_ cost: Int, at now: PacingInstant) -> Decision

  /// The answer that `request` would give.
  mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision

  /// The balance, rounded down, less what waiters hold.
  mutating func available(at now: PacingInstant) -> Int

  /// Spends a cost that is available at `now`.
  mutating func spend(_ cost: Int, at now: PacingInstant)

  /// Grants nothing before `end`; a longer pause stays in force.
  mutating func pause(until end: PacingInstant, at now: PacingInstant)

  mutating func resume(at now: PacingInstant)

  /// Forgets what was spent, and ends a pause.
  mutating func reset(at now: PacingInstant)

  // MARK: Waiters

  /// The instant at which the first waiter is due, `distantFuture` without waiters.
  var deadline: PacingInstant { get }

  /// Whether a waiter can ever be granted `cost`.
  func canPay(_ cost: Int) -> Bool

  /// The projection without any waiter; `startsWithHead` if the first waiter is placed next.
  func projection(startsWithHead: Bool) -> Projection

  /// The projection behind all waiters, except one that leaves.
  mutating func projectionBehindQueue(without leaving: Place?) -> Projection

  /// The first waiter that can no longer be served by its deadline, and when it would be; unknown
  /// if waiters must be placed one by one.
  mutating func firstLate() -> FirstLate<Place>

  /// Notes that another waiter is about to be the first, or has just become it.
  mutating func noteNewHead()

  /// The turn of the first waiter, nil if it is not due.
  mutating func headTurn(at now: PacingInstant) -> HeadTurn?

  /// Spends the cost of the first waiter, which is due.
  mutating func spendHead(_ cost: Int, in turn: HeadTurn)

  /// Notes that the tokens accrued by now are spent or available to every caller: no grant to a
  /// waiter counts from before.
  mutating func noteServed()
}

/// The answer to which waiter is the first that is due too late.
package enum FirstLate<Place> {
  case unknown
  case none
  case waiter(Place, due: PacingInstant)
}

/// The first waiter's turn.
package struct HeadTurn {
  /// The instant from which the grant counts.
  let instant: PacingInstant
  /// When the cost is spent and when it can be used, in a bucket's units.
  var time: Int128 = 0
  var due: Int128 = 0
  /// The number of reservations that are spent ahead of it.
  var passed = 0
  /// How much later than planned it is.
  let delay: Nanoseconds
}

/// A limit's future spends, one after another, as a pure value.
package protocol LimitProjection {
  /// The instant at which a cost could be used if it were placed next.
  func due(_ cost: Int) -> PacingInstant

  /// Places a waiter's cost at the earliest instant that fits, behind all placed before.
  mutating func place(_ cost: Int)

  /// The instant at which the last cost placed can be used.
  var instant: PacingInstant { get }

  /// Whether it remembers each spend, as windows do.
  var remembers: Bool { get }

  /// What `rewind` needs to return to this projection.
  var stage: Self { get }

  /// Takes back what was placed since a stage.
  mutating func rewind(to stage: Self)
}

/// The answer to a caller that is ready to wait.
package enum Admission: Hashable, Sendable {
  /// The cost was available and is spent.
  case granted
  /// The cost will be available in time if the caller joins the queue now.
  case mustWait
  /// The cost will not be available, or not in time; nothing has changed.
  case refused(AcquireError)
}
