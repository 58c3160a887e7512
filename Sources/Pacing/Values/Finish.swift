/// What `finish(_:)` does with what is pending.
public struct Finish: Hashable, Sendable {
  enum Kind {
    case deliver
    case atOnce
    case discard
  }

  let kind: Kind

  /// Delivers it by the tool's own rule: a debouncer and a batcher at once, a throttler and an
  /// auditor at the window's end, a sampler not at all.
  public static var deliver: Finish { Finish(kind: .deliver) }

  /// Delivers it at once, even where that comes before the window's end.
  public static var atOnce: Finish { Finish(kind: .atOnce) }

  /// Drops it.
  public static var discard: Finish { Finish(kind: .discard) }
}
