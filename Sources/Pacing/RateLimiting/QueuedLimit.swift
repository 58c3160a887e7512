/// A limit and those who wait for it, as a pure value: what a dispenser is the shell of.
///
/// The queries assume that everyone whose turn has come was granted it first; the shell sees to it.
package protocol QueuedLimit<Payload>: SendableMetatype {
  /// What stands in the queue.
  associatedtype Payload

  /// How many wait.
  var waitingCount: Int { get }

  /// The instant at which the first in the queue can be served, `distantFuture` where nobody waits.
  var deadline: PacingInstant { get }

  /// Spends `cost` if it is there and nobody waits for it.
  mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool

  /// Spends `cost` if it is there and nobody waits for it, and says what the caller can be told.
  mutating func request(_ cost: Int, at now: PacingInstant) -> Decision

  /// What `request` would answer.
  mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision

  /// What is there, rounded down, less what waiters hold.
  mutating func available(at now: PacingInstant) -> Int

  /// Serves a caller at once, sends him to the queue, or refuses him.
  ///
  /// A wait of exactly `timeout` is still granted, one that is longer is refused here and now; nil is
  /// as long as it takes.
  mutating func admit(_ cost: Int, within timeout: Nanoseconds?, at now: PacingInstant) -> Admission

  /// Puts someone at the end of the queue, whom `admit` has sent there.
  mutating func join(_ cost: Int, as payload: Payload) -> WaiterQueue<Payload>.Place

  /// Serves the first in the queue, if his turn has come by `now`.
  mutating func grantNext(at now: PacingInstant) -> Payload?

  /// Takes someone out of the queue, nil where he was served or has left.
  mutating func withdraw(_ place: WaiterQueue<Payload>.Place) -> Payload?

  /// Takes the first out of the queue, nil where nobody waits.
  mutating func withdrawFirst() -> Payload?
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
