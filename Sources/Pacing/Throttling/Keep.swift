/// Which of the values inside one window a throttler delivers at its end.
public struct Keep: Hashable, Sendable {
  private enum Choice {
    case latest
    case first
  }

  private let choice: Choice

  /// The last one.
  public static var latest: Keep { Keep(choice: .latest) }

  /// The first one; those after it are dropped.
  public static var first: Keep { Keep(choice: .first) }
}
