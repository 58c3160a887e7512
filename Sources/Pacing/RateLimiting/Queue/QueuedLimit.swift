/// A limit and its waiters, as a pure value: the state behind a `LimitQueue`.
///
/// The queries assume that every waiter whose tokens have come was granted them first; the queue
/// sees to it. What all limits do in the same way is in `QueuedLimit+Verbs.swift` (calls) and
/// `QueuedLimit+Serving.swift` (waiters).
package protocol QueuedLimit<Payload>: SendableMetatype {
  /// What stands in the queue.
  associatedtype Payload

  /// What comes next, spend by spend.
  associatedtype Projection: LimitProjection

  typealias Place = WaiterQueue<Payload>.Place

  typealias Refusal = WaiterQueue<Payload>.Refusal

  /// The waiters.
  var waiters: WaiterQueue<Payload> { get set }

  /// What has been done so far.
  var statistics: LimitStatistics { get set }

  /// Whether nothing is granted any more.
  var isClosed: Bool { get set }

  /// Whether some waiters may have become hopeless since they were last looked through.
  var mayBeHopeless: Bool { get set }

  /// Waiters that were too late when their turn came, to be told by `refuseHopeless`.
  var overdue: [Refusal] { get set }

  /// The instant from which the latest grant to a waiter counts.
  var countedFrom: PacingInstant { get set }

  /// The instant of the latest call; an earlier one counts as this one.
  var latest: PacingInstant { get }

  /// The most that can be there at once.
  var capacity: Int { get }

  /// Whether `tryPlainly` decides: there are no waiters, and nothing else is out of the ordinary.
  var isPlain: Bool { get }

  /// Clamps the time, and does what is pinned up to it.
  mutating func advance(until now: PacingInstant)

  /// Spends `cost` if it is there and the limit is plain.
  mutating func tryPlainly(_ cost: Int, at now: PacingInstant) -> Bool

  /// What `request` would answer.
  mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision

  /// What is there, rounded down, less what waiters hold.
  mutating func available(at now: PacingInstant) -> Int

  /// Spends a cost that is there at `now`.
  mutating func spend(_ cost: Int, at now: PacingInstant)

  /// Grants nothing before an instant; a pause that lasts longer stays.
  mutating func pause(until end: PacingInstant, at now: PacingInstant)

  /// Ends a pause.
  mutating func resume(at now: PacingInstant)

  /// Forgets what was spent, and ends a pause.
  mutating func reset(at now: PacingInstant)

  // MARK: Waiters

  /// The instant at which the first waiter can be served, `distantFuture` without waiters.
  var deadline: PacingInstant { get }

  /// Whether a waiter can have `cost`, now or ever.
  func canPay(_ cost: Int) -> Bool

  /// What comes next if no waiter is served; `startsWithHead` says that the first waiter is what is
  /// placed first.
  func projection(startsWithHead: Bool) -> Projection

  /// What comes next once all waiters, but for one that leaves, are served.
  mutating func projectionBehindQueue(without leaving: Place?) -> Projection

  /// The first waiter that cannot be served by its deadline any more, and when it would be; not
  /// known if waiters must be placed one by one.
  mutating func firstLate() -> FirstLate<Place>

  /// Notes a waiter that is about to join.
  mutating func noteJoin(_ cost: Int)

  /// Notes that a waiter is about to leave without its tokens.
  mutating func noteLeave(_ place: Place)

  /// The instant from which the first waiter's grant would count, and whether that is later than
  /// was planned; nil if its turn has not come.
  mutating func headTurn(at now: PacingInstant) -> HeadTurn?

  /// Spends the first waiter's cost, whose turn has come.
  mutating func spendHead(_ cost: Int, in turn: HeadTurn)

  /// Notes that all tokens that had come by now are spent or there for everyone: no grant to a
  /// waiter counts from before.
  mutating func noteServed()
}

/// The answer to which waiter is the first that comes too late.
package enum FirstLate<Place> {
  case unknown
  case none
  case waiter(Place, due: PacingInstant)
}

/// The first waiter's turn.
package struct HeadTurn {
  /// The instant from which the grant counts.
  let instant: PacingInstant
  /// When the cost is spent and when it can be used, in a bucket's own units.
  var time: Int128 = 0
  var due: Int128 = 0
  /// Whether the waiters behind come later than was planned.
  let isShifted: Bool
}

/// What comes next at a limit, spend by spend, as a pure value.
package protocol LimitProjection {
  /// The instant from which a cost could be used if it were placed next.
  func due(_ cost: Int) -> PacingInstant

  /// Places a waiter's cost at the earliest instant that fits, behind all that was placed before.
  mutating func place(_ cost: Int)
}

/// The answer to a caller that is ready to wait.
package enum Admission: Hashable, Sendable {
  /// The cost was there, and is spent.
  case granted
  /// It will be there in time for a caller that joins the queue now.
  case mustWait
  /// It will not, or not in time; nothing has changed.
  case refused(AcquireError)
}
