/// A token granted by a limit's stream.
public struct Grant: Hashable, Sendable {
  /// The number of tokens that this stream granted before.
  public let index: Int

  /// The instant from which the grant counts.
  public let instant: PacingInstant

  /// Creates a grant, to test code that handles one.
  public init(index: Int, instant: PacingInstant) {
    self.index = index
    self.instant = instant
  }
}
