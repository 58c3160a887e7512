/// Why a limit refused a caller that was ready to wait.
///
/// A refusal spends nothing. It comes at the call if the deadline cannot be met even if all waiters
/// ahead are served and nothing else changes, and otherwise at the deadline.
///
/// ```swift
/// catch AcquireError.deadline(let neededWait?) {
///   print("try again in \(neededWait)")
/// }
/// ```
public enum AcquireError: Error, Hashable, Sendable {
  /// The cost exceeds the burst or the window's count, the most that the limit ever grants; no wait
  /// is long enough.
  case exceedsBurst(cost: Int, burst: Int)

  /// The tokens arrive too late: not before `neededWait` after the call; nil if no time can be
  /// named, as for a permit.
  case deadline(neededWait: Duration?)

  /// The queue is at its bound of `maximumWaiters`.
  case queueIsFull(maximumWaiters: Int)

  /// The limit was closed.
  case closed
}
