/// What becomes of a delay that the server names, in the place of the backoff's own.
///
/// The backoff takes its step all the same, unless `resettingBackoff()` is asked for. The policy's
/// deadline counts as for every other delay. With a backoff that has come to 2 s:
///
///     the server says           0 s     1 s     30 s
///     obeyed                      0       1       30
///     clamped(atMost: 10 s)       0       1       10
///     extended(upTo: 5 s)         2       2        7
///     refused(above: 10 s)        0       1      the end, named `refusedHint`
///     ignored                     2       2        2
public struct HintPolicy: Hashable, Sendable {
  private enum Rule: Hashable {
    case clamp(atMost: Nanoseconds)
    case extend(Nanoseconds)
    case refuse(above: Nanoseconds)
    case ignore
  }

  private let rule: Rule
  /// Whether the backoff begins again after a hint.
  private(set) var resetsBackoff = false

  /// The server's delay, whatever it is: the default.
  public static var obeyed: HintPolicy { HintPolicy(rule: .clamp(atMost: .never)) }

  /// The backoff's delay, as if the server had named none.
  public static var ignored: HintPolicy { HintPolicy(rule: .ignore) }

  /// The server's delay, cut to a limit.
  ///
  /// - Parameter limit: The longest delay that is obeyed; none where it is negative.
  /// - Returns: The policy.
  public static func clamped(atMost limit: Duration) -> HintPolicy {
    HintPolicy(rule: .clamp(atMost: Nanoseconds(wait: limit)))
  }

  /// The server's delay, but no less than the backoff's, and at most so much more.
  ///
  /// - Parameter extra: How much more; none where it is negative.
  /// - Returns: The policy.
  public static func extended(upTo extra: Duration) -> HintPolicy {
    HintPolicy(rule: .extend(Nanoseconds(wait: extra)))
  }

  /// The server's delay; one above a limit is the end of the attempts, with a reason of its own.
  ///
  /// - Parameter limit: The longest delay that is obeyed; none where it is negative.
  /// - Returns: The policy.
  public static func refused(above limit: Duration) -> HintPolicy {
    HintPolicy(rule: .refuse(above: Nanoseconds(wait: limit)))
  }

  /// This policy for a backoff that begins again after each delay that the server named.
  public func resettingBackoff() -> HintPolicy {
    var copy = self
    copy.resetsBackoff = true
    return copy
  }

  /// The delay to be waited for; nil where it is refused.
  func delay(hint: Nanoseconds, backoff: Nanoseconds) -> Nanoseconds? {
    switch rule {
    case .clamp(let limit): min(hint, limit)
    case .extend(let extra): min(max(hint, backoff), backoff.adding(extra))
    case .refuse(let limit): hint <= limit ? hint : nil
    case .ignore: backoff
    }
  }
}
