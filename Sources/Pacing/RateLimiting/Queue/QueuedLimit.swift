/// A limit and those who wait for it, as a pure value: what a queue is the shell of.
///
/// The queries assume that everyone whose turn has come was granted it first; the shell sees to it.
/// What every limit does in the same way is in `QueuedLimit+Verbs.swift`.
package protocol QueuedLimit<Payload>: SendableMetatype {
  /// What stands in the queue.
  associatedtype Payload

  typealias Place = WaiterQueue<Payload>.Place

  /// Those who wait.
  var waiters: WaiterQueue<Payload> { get set }

  /// What has been done so far.
  var statistics: LimitStatistics { get set }

  /// Whether nobody is served any more.
  var isClosed: Bool { get set }

  /// Whether some of those who wait may have become hopeless since they were last looked through.
  var mayBeHopeless: Bool { get set }

  /// The most that can be there at once.
  var capacity: Int { get }

  /// Whether `tryPlainly` decides: nobody waits, and nothing else is out of the ordinary.
  var isPlain: Bool { get }

  /// Spends `cost` if it is there, where the limit is plain.
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

  // MARK: The queue

  /// The instant at which the first in the queue can be served, `distantFuture` where nobody waits.
  var deadline: PacingInstant { get }

  /// Whether someone who waits can have `cost`, now or ever.
  func canPay(_ cost: Int) -> Bool

  /// How long someone would wait who comes now, if `leaving` made way for him.
  mutating func waitForNewcomer(
    _ cost: Int, without leaving: Place?, at now: PacingInstant
  ) -> Nanoseconds

  /// Puts someone in the queue, whom `admit` has sent there.
  mutating func join(_ cost: Int, as payload: Payload, within timeout: Nanoseconds?) -> Place

  /// Serves the first in the queue, if his turn has come by `now`.
  mutating func grantNext(at now: PacingInstant) -> Payload?

  /// Takes those out of the queue who, after a change, cannot be served in time any more, or not at
  /// all.
  mutating func refuseHopeless(
    at now: PacingInstant
  ) -> [(payload: Payload, error: AcquireError)]

  /// Takes someone out of the queue, nil where he was served or has left.
  mutating func remove(_ place: Place) -> Payload?
}

/// What becomes of a caller who is ready to wait.
package enum Admission: Hashable, Sendable {
  /// The cost was there, and is spent.
  case granted
  /// It will be there in time, for someone who joins the queue now.
  case mustWait
  /// It will not, or not in time; nothing has changed.
  case refused(AcquireError)
}
