/// The instants at which the waiters of several limits are served, as a pure value.
///
/// It stays exact while waiters only join and are served on time. Otherwise it still bounds how
/// late they are served: a grant that comes later delays no other by more than that, and a waiter
/// that leaves delays none, except that each loses up to a nanosecond to rounding. Fixed windows
/// have no such bound, because a delay can move a grant into the next window.
struct QueueForecast {
  /// The limits after all waiters, served as planned.
  private(set) var projection: LimitsProjection
  /// Whether all waiters are served as planned.
  private(set) var isExact = true
  /// The most by which a waiter may be served later than planned.
  private var delay: Nanoseconds = 0
  /// The least time between the planned instant of a waiter and its deadline.
  private var leastSlack = Nanoseconds.never

  /// Makes the forecast of an empty queue.
  init(_ projection: LimitsProjection) {
    self.projection = projection
  }

  /// Whether each waiter is certain to be served by its deadline.
  var isInTime: Bool { (isExact ? 0 : delay) <= leastSlack }

  /// The latest instant at which a caller that joins is served.
  func latestDue(_ cost: Int) -> PacingInstant { projection.due(cost) + delay }

  /// Adds a waiter at the back.
  mutating func place(_ cost: Int, until deadline: PacingInstant) {
    projection.place(cost)
    if deadline != .distantFuture { leastSlack = min(leastSlack, deadline - projection.instant) }
    delay = delay.adding(1)
  }

  /// Notes that a waiter was served later than planned, or has left.
  mutating func noteChange(delaying delay: Nanoseconds = 0) {
    isExact = false
    self.delay = self.delay.adding(delay)
  }
}
