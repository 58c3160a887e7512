/// The ends of a burst or window at which a tool delivers.
public struct Edges: Hashable, Sendable {
  package let hasLeading: Bool
  package let hasTrailing: Bool

  /// Delivers the first value immediately; the rest of the burst or window is dropped.
  public static var leading: Edges { Edges(hasLeading: true, hasTrailing: false) }

  /// Delivers the kept value when the burst or window ends.
  public static var trailing: Edges { Edges(hasLeading: false, hasTrailing: true) }

  /// Delivers the first value immediately, and the value kept after it when the burst or window
  /// ends.
  public static var both: Edges { Edges(hasLeading: true, hasTrailing: true) }
}
