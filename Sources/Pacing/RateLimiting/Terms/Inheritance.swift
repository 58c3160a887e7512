/// What becomes of the tokens that a bucket holds when its rate or its burst changes.
public struct Inheritance: Hashable, Sendable {
  enum Kind {
    case keep
    case proportional
    case additive
    case reset
  }

  let kind: Kind

  /// As many as before, cut to the new burst: the default, and the only one that mints none.
  public static var keep: Inheritance { Inheritance(kind: .keep) }

  /// The same part of the burst as before, rounded down; what is owed stays as it is.
  public static var proportional: Inheritance { Inheritance(kind: .proportional) }

  /// As many as before, and those by which the burst grows; where it shrinks, as `keep`.
  public static var additive: Inheritance { Inheritance(kind: .additive) }

  /// A full bucket.
  public static var reset: Inheritance { Inheritance(kind: .reset) }
}
