/// Where the windows of a fixed-window limit begin.
public struct WindowStart: Hashable, Sendable {
  private enum Kind { case firstEvent, creation }

  private let kind: Kind

  /// Each window begins with the first event after the previous one has ended.
  public static let firstEvent = WindowStart(kind: .firstEvent)

  /// Windows follow one another from the limit's creation.
  public static let creation = WindowStart(kind: .creation)
}
