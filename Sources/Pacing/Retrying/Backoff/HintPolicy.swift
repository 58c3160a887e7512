/// How a delay that the server names, such as `Retry-After`, changes the computed delay.
///
/// A hint raises the delay and never lowers it: the longer of the two is waited for. A hint of
/// zero, or a date that has passed, therefore means the backoff's own delay. The cap of the backoff
/// does not bind a hint, which has a bound of its own: 24 hours unless specified otherwise. With a
/// backoff that has come to 2 s:
///
///     the server names          0 s     1 s     30 s
///     obeyed                      2       2       30
///     obeyed(atMost: 10 s)        2       2       10
///     ignored                     2       2        2
///
/// The backoff takes its step all the same. The policy's deadline counts as for every other delay.
public struct HintPolicy: Hashable, Sendable, Codable {
  /// What of a server's delay counts at most.
  private let limit: Nanoseconds

  /// The longer of the backoff's delay and the server's, of which at most 24 hours count: the
  /// default.
  public static var obeyed: HintPolicy { obeyed(atMost: .seconds(86_400)) }

  /// The longer of the backoff's delay and the server's, which is cut to a limit in place of 24
  /// hours; a negative one counts as zero.
  public static func obeyed(atMost limit: Duration) -> HintPolicy {
    HintPolicy(limit: Nanoseconds(wait: limit))
  }

  /// The backoff's delay, whatever the server names.
  public static var ignored: HintPolicy { HintPolicy(limit: 0) }

  /// What of a server's delay counts.
  func counted(_ hint: Nanoseconds) -> Nanoseconds { min(hint, limit) }

  /// The delay to wait for after a failure.
  func delay(hint: Nanoseconds?, backoff: Nanoseconds) -> Nanoseconds {
    max(counted(hint ?? 0), backoff)
  }
}

extension HintPolicy: CustomStringConvertible {
  /// A few words, for a log: "hints obeyed up to 24 h".
  public var description: String {
    limit > 0 ? "hints obeyed up to \(limit.shortText)" : "hints ignored"
  }
}
