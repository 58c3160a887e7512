/// What happens when a value falls due while the async handler of an earlier one is running.
///
/// Start times of a handler that takes four steps and ends immediately when cancelled:
///
///     due              123-----45--------
///     .keepLatest      1---3---4---5-----
///     .queue(2)        1---2---3---4---5-
///     .cancelPrevious  123-----45--------
///     .dropNew         1-------4---------
///     .concurrent(2)   12--3---45--------
///
/// The limits of `queue` and `concurrent` must be positive.
public enum Overlap: Hashable, Sendable {
  /// One run at a time; the newest value waits, replacing earlier ones; the default.
  case keepLatest

  /// One run at a time; up to that many values wait in FIFO order, followed by the newest one.
  case queue(Int)

  /// One run at a time; a value that falls due cancels the running task, and the newest one begins
  /// when that task has ended.
  case cancelPrevious

  /// One run at a time; values that fall due meanwhile are dropped, with the reason `.busy`, even
  /// if a late timer notices after the run. A timer counts such ticks as missed.
  case dropNew

  /// Up to that many runs at a time; beyond that the newest value waits, replacing earlier ones.
  case concurrent(Int)

  @inline(__always)
  var concurrency: Int {
    if case .concurrent(let limit) = self { limit } else { 1 }
  }

  /// The maximum number decided or running; what falls due beyond that is held and merged.
  @inline(__always)
  var capacity: Int {
    switch self {
    case .keepLatest, .cancelPrevious: 1
    case .queue(let limit): limit.adding(1)
    case .dropNew: .max
    case .concurrent(let limit): limit
    }
  }

  func validate() {
    if case .queue(let limit) = self {
      ConfigurationError.require(limit > 0, "queue", limit, must: "be positive")
    }
    ConfigurationError.require(concurrency > 0, "concurrent", concurrency, must: "be positive")
  }
}
