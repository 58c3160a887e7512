/// One token handed out by a limit's stream: its place in the stream and its instant.
public struct Grant: Hashable, Sendable {
  /// How many tokens this stream had handed out before.
  public let index: Int

  /// The instant at which the token was taken from the bucket.
  public let instant: PacingInstant

  /// Makes a grant, for a test of code that is given one.
  ///
  /// - Parameters:
  ///   - index: The number of tokens that the stream had handed out before.
  ///   - instant: The instant at which the token was taken.
  public init(index: Int, instant: PacingInstant) {
    self.index = index
    self.instant = instant
  }
}
