/// The ends of a burst or window at which a tool delivers.
public enum Edges: Hashable, Sendable {
  /// Delivers the first value immediately; the rest of the burst or window is dropped.
  case leading

  /// Delivers the kept value when the burst or window ends.
  case trailing

  /// Delivers the first value immediately, and the value kept after it when the burst or window
  /// ends.
  case both

  package var hasLeading: Bool { self != .trailing }
  package var hasTrailing: Bool { self != .leading }
}
