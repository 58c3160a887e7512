/// How many tokens a bucket keeps when its rate or its burst changes.
public struct Inheritance: Hashable, Sendable {
  enum Kind {
    case keep
    case proportional
    case additive
    case reset
    /// What was spent stays spent, in tokens, whatever the burst.
    case spent
  }

  let kind: Kind

  /// The same number, capped at the new burst: the default, and the only one that mints no tokens.
  public static var keep: Inheritance { Inheritance(kind: .keep) }

  /// The same fraction of the burst, rounded down; a debt stays as it is.
  public static var proportional: Inheritance { Inheritance(kind: .proportional) }

  /// The same number plus the growth of the burst; if the burst shrinks, as `keep`.
  public static var additive: Inheritance { Inheritance(kind: .additive) }

  /// A full bucket.
  public static var reset: Inheritance { Inheritance(kind: .reset) }

  /// What was spent stays spent: as a key's bucket changes with its quota.
  static var spent: Inheritance { Inheritance(kind: .spent) }
}
