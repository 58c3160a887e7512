/// A limit and those who wait for it, as a pure value: what a dispenser is the shell of.
///
/// The queries assume that everyone whose turn has come was granted it first; the shell sees to it.
package protocol QueuedLimit<Payload>: SendableMetatype {
  /// What stands in the queue.
  associatedtype Payload

  /// Whether `tryPlainly` decides: nobody waits, and nothing else is out of the ordinary.
  var isPlain: Bool { get }

  /// Spends `cost` if it is there, where the limit is plain.
  mutating func tryPlainly(_ cost: Int, at now: PacingInstant) -> Bool

  /// Spends `cost` if it is there and nobody waits for it.
  mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool

  /// Spends `cost` if it is there and nobody waits for it, and says what the caller can be told.
  mutating func request(_ cost: Int, at now: PacingInstant) -> Decision

  /// What `request` would answer.
  mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision

  /// What is there, rounded down, less what waiters hold.
  mutating func available(at now: PacingInstant) -> Int

  /// Serves nobody any more; the shell refuses those who wait.
  mutating func close()

  // MARK: The queue

  /// How many wait.
  var waitingCount: Int { get }

  /// How many may wait.
  var queueLimit: Int { get }

  /// The instant at which the first in the queue can be served, `distantFuture` where nobody waits.
  var deadline: PacingInstant { get }

  /// Serves a caller at once, sends him to the queue, or refuses him.
  ///
  /// A wait of exactly `timeout` is still granted, one that is longer is refused here and now; nil
  /// is as long as it takes. The queue's limit does not concern someone who may always `join`.
  mutating func admit(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, at now: PacingInstant
  ) -> Admission

  /// Takes the oldest out of a queue that is full, where one of those whom `admit` has sent there
  /// wants to join it.
  mutating func displace() -> Payload?

  /// Puts someone in the queue, whom `admit` has sent there.
  mutating func join(
    _ cost: Int, as payload: Payload, within timeout: Nanoseconds?
  ) -> WaiterQueue<Payload>.Place

  /// Serves the first in the queue, if his turn has come by `now`.
  mutating func grantNext(at now: PacingInstant) -> Payload?

  /// Takes those out of the queue who, after a change, cannot be served in time any more, or not at
  /// all.
  mutating func refuseHopeless(
    at now: PacingInstant
  ) -> [(payload: Payload, error: AcquireError)]

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
