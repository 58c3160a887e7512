/// Whether a bucket grants what it does not hold yet, and who pays for it.
///
/// A bucket of two, refilled with one token in four steps; three tokens and then one are asked for:
///
///     asked       31-----------
///     none        -1-----------  three never; one at once
///     savingUp    ----3---1----  three when they have been paid for, and one after that
///     nextPays    3---1--------  three at once, and one when those have been paid for
public struct Overdraft: Hashable, Sendable {
  enum Kind {
    case none
    case savingUp
    case nextPays
  }

  let kind: Kind

  /// A cost is granted when its tokens are there, and one above the burst never: the default.
  public static var none: Overdraft { Overdraft(kind: .none) }

  /// A cost above the burst can be waited for and reserved.
  ///
  /// It takes everything that comes until it is paid for in full, and is never there at once.
  public static var savingUp: Overdraft { Overdraft(kind: .savingUp) }

  /// A cost of any size is granted as soon as nothing is owed, and whoever comes next waits until
  /// it is paid for.
  ///
  /// Over every interval the grants are at most the burst, what comes in that time, and the last
  /// cost.
  public static var nextPays: Overdraft { Overdraft(kind: .nextPays) }
}
