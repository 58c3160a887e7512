/// How a delay that the server names, such as `Retry-After`, changes the computed delay.
///
/// A hint raises the delay and never lowers it: the longer of the two is waited for. A hint of
/// zero, or a date that has passed, therefore means the backoff's own delay. The cap of the backoff
/// does not bind a hint, which has a bound of its own: 24 hours unless specified otherwise. With a
/// backoff that has come to 2 s:
///
///     the server names          0 s     1 s     30 s
///     obeyed                      2       2       30
///     clamped(atMost: 10 s)       2       2       10
///     extended(upTo: 5 s)       2–7     2–7    30–35    at random
///     clamped(toBackoffPlus: 5 s) 2       2        7
///     refused(above: 10 s)        2       2      the end, named `refusedHint`
///     exactly                     0       1       30
///     ignored                     2       2        2
///
/// The backoff takes its step all the same, unless `resettingBackoff()` is asked for. The policy's
/// deadline counts as for every other delay. A negative limit or extra counts as zero.
public struct HintPolicy: Hashable, Sendable, Codable {
  private enum Rule: Hashable, Codable {
    case raise(atMost: Nanoseconds)
    case extend(byAtMost: Nanoseconds)
    case refuse(above: Nanoseconds)
    case replace(atMost: Nanoseconds)
    case ignore

    var withoutNegatives: Rule {
      switch self {
      case .raise(let limit): .raise(atMost: max(0, limit))
      case .extend(let extra): .extend(byAtMost: max(0, extra))
      case .refuse(let limit): .refuse(above: max(0, limit))
      case .replace(let limit): .replace(atMost: max(0, limit))
      case .ignore: .ignore
      }
    }
  }

  private let rule: Rule
  /// The longest random addition to a delay after a hint.
  private(set) var spread: Nanoseconds = 0
  /// Whether the backoff begins again after a hint.
  private(set) var resetsBackoff = false

  private init(rule: Rule) {
    self.rule = rule
  }

  private static var day: Nanoseconds { 86_400_000_000_000 }

  /// The longer of the backoff's delay and the server's, of which at most 24 hours count: the
  /// default.
  public static var obeyed: HintPolicy { HintPolicy(rule: .raise(atMost: day)) }

  /// The backoff's delay, whatever the server names.
  public static var ignored: HintPolicy { HintPolicy(rule: .ignore) }

  /// The server's delay in place of the backoff's, shorter ones too, at most 24 hours.
  ///
  /// A server that names zero again and again is then asked again and again without a pause.
  public static var exactly: HintPolicy { HintPolicy(rule: .replace(atMost: day)) }

  /// The server's delay in place of the backoff's, cut to a limit.
  public static func exactly(atMost limit: Duration) -> HintPolicy {
    HintPolicy(rule: .replace(atMost: Nanoseconds(wait: limit)))
  }

  /// The longer of the backoff's delay and the server's, which is cut to a limit in place of 24
  /// hours.
  public static func clamped(atMost limit: Duration) -> HintPolicy {
    HintPolicy(rule: .raise(atMost: Nanoseconds(wait: limit)))
  }

  /// The longer of the two delays, but no more than the backoff's and an extra: the rule of the AWS
  /// SDKs.
  public static func clamped(toBackoffPlus extra: Duration) -> HintPolicy {
    HintPolicy(rule: .extend(byAtMost: Nanoseconds(wait: extra)))
  }

  /// As `obeyed`, and up to `extra` later at random, so that clients with equal hints do not return
  /// together.
  public static func extended(upTo extra: Duration) -> HintPolicy {
    obeyed.extended(upTo: extra)
  }

  /// As `obeyed`; a hint above a limit ends the attempts, with a reason of its own.
  public static func refused(above limit: Duration) -> HintPolicy {
    HintPolicy(rule: .refuse(above: Nanoseconds(wait: limit)))
  }

  /// This policy with a random time added after each hint, as `extended(upTo:)` adds to `obeyed`.
  public func extended(upTo extra: Duration) -> HintPolicy {
    changing(self) { $0.spread = rule == .ignore ? 0 : Nanoseconds(wait: extra) }
  }

  /// This policy with a backoff that begins again after each delay that the server named.
  public func resettingBackoff() -> HintPolicy {
    changing(self) { $0.resetsBackoff = true }
  }

  /// Decodes a policy; a negative time counts as zero.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(rule: try values.decode(Rule.self, forKey: .rule).withoutNegatives)
    spread = max(0, try values.decode(Nanoseconds.self, forKey: .spread))
    resetsBackoff = try values.decode(Bool.self, forKey: .resetsBackoff)
  }

  /// What of a server's delay counts.
  func counted(_ hint: Nanoseconds) -> Nanoseconds {
    switch rule {
    case .raise(let limit), .replace(let limit): min(hint, limit)
    case .extend, .refuse: hint
    case .ignore: 0
    }
  }

  /// The delay to wait for, without the random addition; nil if the hint is refused.
  func delay(hint: Nanoseconds, backoff: Nanoseconds) -> Nanoseconds? {
    switch rule {
    case .raise: max(counted(hint), backoff)
    case .extend(let extra): min(max(hint, backoff), backoff.adding(extra))
    case .refuse(let limit): hint <= limit ? max(hint, backoff) : nil
    case .replace: counted(hint)
    case .ignore: backoff
    }
  }
}

extension HintPolicy: CustomStringConvertible {
  /// A few words, for a log: "hints obeyed up to 24 h".
  public var description: String {
    let words =
      switch rule {
      case .raise(let limit): "hints obeyed up to \(limit.shortText)"
      case .extend(let extra): "hints add up to \(extra.shortText)"
      case .refuse(let limit): "hints above \(limit.shortText) refused"
      case .replace(let limit): "hints obeyed exactly up to \(limit.shortText)"
      case .ignore: "hints ignored"
      }
    let addition = spread > 0 ? " and up to \(spread.shortText) more" : ""
    return words + addition + (resetsBackoff ? ", resetting the backoff" : "")
  }
}
