/// The answer to a new key at a `KeyedRateLimiter` that holds as many keys as it may.
///
/// Keys that are held are not affected, except that one may be forgotten under `forget`.
public struct FullTable: Hashable, Sendable {
  enum Kind: Hashable {
    case forget
    case refuse
    case allow
    case share
  }

  let kind: Kind

  /// The name under which a full table refuses: `refusedBy` of a decision.
  public static let refusalName = "table"

  /// A key that is held gives way, with the debt that it had: the default.
  ///
  /// Of eight keys at random places it is the one whose bucket is full first.
  /// Only a grant to a new key forgets one. As long as all keys together are granted at most half
  /// of `maximumKeys` times the rate, a newcomer forgets a key that still counts with a probability
  /// of at most 1/256. Above `maximumKeys` times the rate, with invented keys that are spent to the
  /// end, any key can be forgotten.
  public static let forget = FullTable(kind: .forget)

  /// A refusal until the first key that is held has its bucket full again.
  ///
  /// `retryAfter` is exactly that time, and `refusedBy` is ``refusalName``.
  public static let refuse = FullTable(kind: .refuse)

  /// A grant: a new key is not limited until there is room.
  public static let allow = FullTable(kind: .allow)

  /// One bucket for many new keys together, with the quota of the key that asks.
  ///
  /// There is one for each of the parts over which keys are spread.
  public static let share = FullTable(kind: .share)
}
