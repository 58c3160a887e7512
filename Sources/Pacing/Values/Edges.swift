/// Which end of a burst or a window a tool delivers at.
public struct Edges: Hashable, Sendable {
  package let hasLeading: Bool
  package let hasTrailing: Bool

  /// The first value at once; the rest of the burst or window is dropped.
  public static var leading: Edges { Edges(hasLeading: true, hasTrailing: false) }

  /// What was kept, when the burst or the window is over.
  public static var trailing: Edges { Edges(hasLeading: false, hasTrailing: true) }

  /// The first value at once, and what came after it when the burst or the window is over.
  public static var both: Edges { Edges(hasLeading: true, hasTrailing: true) }
}
