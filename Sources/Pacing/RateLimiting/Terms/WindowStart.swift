/// Where the windows of a fixed window limit begin.
public struct WindowStart: Hashable, Sendable {
  private enum Kind { case firstEvent, creation }

  private let kind: Kind

  /// With the first event after the window before is over.
  public static let firstEvent = WindowStart(kind: .firstEvent)

  /// One after the other, from the creation of the limit on.
  public static let creation = WindowStart(kind: .creation)
}
