/// Whether a bucket grants a cost that it does not hold yet, and which caller pays for it.
///
/// A bucket of two, refilled with one token in four steps; a request for three and then one for
/// one:
///
///     asked       31-----------
///     none        -1-----------  three never; one at once
///     savingUp    ----3---1----  three when they have been paid for, and one after that
///     nextPays    3---1--------  three at once, and one when those have been paid for
public struct Overdraft: Hashable, Sendable {
  enum Kind: String, Codable {
    case none
    case savingUp = "saving up"
    case nextPays = "next pays"
  }

  let kind: Kind

  /// Grants a cost when the bucket holds it, and never one above the burst: the default.
  public static var none: Overdraft { Overdraft(kind: .none) }

  /// Lets callers wait for or reserve a cost above the burst.
  ///
  /// Such a cost takes all tokens that accrue until it is paid for in full, and is never granted
  /// immediately.
  public static var savingUp: Overdraft { Overdraft(kind: .savingUp) }

  /// Grants a cost of any size as soon as there is no debt; the next caller waits until it is paid
  /// for.
  ///
  /// Over every interval the grants are at most the burst, plus the tokens that accrue in it, plus
  /// the last cost.
  public static var nextPays: Overdraft { Overdraft(kind: .nextPays) }
}
