/// The instants at which the waiters of a limit are served, as a pure value.
///
/// It stays exact while waiters only join and are served on time. A waiter that leaves moves those
/// behind it alone: the forecast returns to a stage ahead of it, and places the ones behind again.
///
/// A forecast that is not exact still bounds how late they are served: a grant that comes later
/// delays no other by more than that, and a waiter that leaves delays none, except that each loses
/// up to a nanosecond to rounding. Fixed windows and reservations have no such bound, because a
/// delay can move a grant into the next window, or behind a reservation.
package struct QueueForecast<Projection: LimitProjection> {
  /// The forecast of a part of the queue, from its front.
  private struct Stage {
    /// The call of the part's last waiter.
    let last: UInt64
    let projection: Projection
    let leastSlack: Nanoseconds
    let count: Int
  }

  /// A stage is kept after so many waiters: one costs as much as placing a few.
  private static var step: Int { 16 }

  /// The limits after all waiters, served as planned.
  private(set) var projection: Projection
  /// The call of the last waiter placed, nil if none is.
  private(set) var last: UInt64?
  /// Whether all waiters are served as planned.
  private(set) var isExact = true
  /// The most by which late grants delay a waiter.
  private var delay: Nanoseconds = 0
  /// The least time between the planned instant of a waiter and its deadline.
  private var leastSlack = Nanoseconds.never
  /// The number of waiters placed.
  package private(set) var count = 0
  private var stages = Stages<Stage>()
  /// The call of the last waiter served.
  private var served: UInt64 = 0

  /// Makes the forecast of an empty queue.
  init(_ projection: Projection) {
    self.projection = projection
  }

  /// Whether each waiter is certain to be served by its deadline.
  var isInTime: Bool { (isExact ? 0 : bound) <= leastSlack }

  /// The latest instant at which a caller that joins is served.
  func latestDue(_ cost: Int) -> PacingInstant { projection.due(cost) + bound }

  /// Whether it remembers many more spends than a new forecast of so many waiters would.
  func isLong(for waiting: Int) -> Bool { projection.remembers && count > 2 * waiting + 64 }

  private var bound: Nanoseconds { delay.adding(Nanoseconds(count)) }

  /// Adds a waiter at the back.
  mutating func place(_ cost: Int, until deadline: PacingInstant, call: UInt64) {
    projection.place(cost)
    if deadline != .distantFuture { leastSlack = min(leastSlack, deadline - projection.instant) }
    count += 1
    last = call
    guard isExact, count.isMultiple(of: Self.step) else { return }
    stages.append(
      Stage(last: call, projection: projection.stage, leastSlack: leastSlack, count: count))
  }

  // MARK: Changes

  /// Notes that the first waiter is served.
  mutating func noteServed(call: UInt64) { served = call }

  /// Notes that waiters are served later than planned.
  mutating func noteDelay(_ delay: Nanoseconds) {
    isExact = false
    self.delay = self.delay.adding(delay)
    stages.removeAll()
  }

  /// Notes that a waiter is about to leave, which delays those behind it by no more than `delay`.
  mutating func noteLeave(call: UInt64, delaying delay: Nanoseconds) {
    isExact = false
    self.delay = self.delay.adding(delay)
    stages.removeLast { $0.last >= call }
  }

  /// Returns to the last stage that is still exact; the waiters behind it must be placed again.
  ///
  /// - Returns: Whether there is one, behind every waiter served so far.
  mutating func rewind() -> Bool {
    guard let stage = stages.last, stage.last > served else { return false }
    projection.rewind(to: stage.projection)
    last = stage.last
    isExact = true
    delay = 0
    leastSlack = stage.leastSlack
    count = stage.count
    return true
  }
}
