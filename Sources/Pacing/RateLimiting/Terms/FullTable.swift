/// What a new key gets from a `KeyedRateLimiter` that holds as many keys as it may.
///
/// Keys that are held already are never affected.
public struct FullTable: Hashable, Sendable {
  enum Kind: Hashable {
    case refuse
    case allow
    case share
  }

  let kind: Kind

  /// Nothing, until a key that is held has its bucket full again and makes room.
  public static let refuse = FullTable(kind: .refuse)

  /// Everything: a new key is not limited until there is room.
  public static let allow = FullTable(kind: .allow)

  /// One bucket for many new keys together, with the quota of the one that asks.
  ///
  /// There is one for each of the parts over which keys are spread, at most 64.
  public static let share = FullTable(kind: .share)
}
