/// What `finish(_:)` does with the pending value.
public struct Finish: Hashable, Sendable {
  enum Kind {
    case deliver
    case atOnce
    case discard
  }

  let kind: Kind

  /// Delivers it: a throttler or an auditor at the end of the window, other tools immediately.
  public static var deliver: Finish { Finish(kind: .deliver) }

  /// Delivers it immediately, even before the end of the window.
  public static var atOnce: Finish { Finish(kind: .atOnce) }

  /// Drops it.
  public static var discard: Finish { Finish(kind: .discard) }
}
