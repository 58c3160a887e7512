/// Where the windows of a fixed-window limit begin.
public struct WindowStart: Hashable, Sendable {
  private let isCreation: Bool

  /// Each window begins with the first event after the previous one has ended.
  public static let firstEvent = WindowStart(isCreation: false)

  /// Windows follow one another from the limit's creation.
  public static let creation = WindowStart(isCreation: true)
}
