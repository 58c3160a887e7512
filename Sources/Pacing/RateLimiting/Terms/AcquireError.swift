/// Why a limit refused a caller who was ready to wait.
///
/// It is known as soon as it is certain: nobody waits for a deadline that cannot be met, and a
/// refusal spends nothing. Someone who waits already is refused in that moment in which a change of
/// the limit, or a caller who is served before him, makes it certain.
public enum AcquireError: Error, Hashable, Sendable {
  /// The cost is above the burst, the most that the bucket ever holds: no wait is long enough.
  case exceedsBurst(cost: Int, burst: Int)

  /// The tokens come too late: only after a wait of `neededWait`, with those counted who wait
  /// already.
  case deadline(neededWait: Duration)

  /// As many wait as may, `limit` of them.
  case queueIsFull(limit: Int)

  /// The limit was closed.
  case closed
}

extension AcquireError: CustomStringConvertible {
  /// One sentence for a log.
  public var description: String {
    switch self {
    case .exceedsBurst(let cost, let burst):
      "a cost of \(cost) can never be met by a burst of \(burst)"
    case .deadline(let neededWait):
      "the tokens come after \(neededWait), which is past the deadline"
    case .queueIsFull(let limit):
      "\(limit) callers wait already"
    case .closed:
      "the limit was closed"
    }
  }
}
