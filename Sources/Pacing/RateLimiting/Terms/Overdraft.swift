/// Whether a bucket grants a cost that it does not hold yet, and which caller pays for it.
///
/// A bucket of two, refilled with one token in four steps; a request for three and then one for
/// one:
///
///     asked       31-----------
///     none        -1-----------  three never; one at once
///     nextPays    3---1--------  three at once, and one when those have been paid for
public enum Overdraft: Hashable, Sendable {
  /// Grants a cost when the bucket holds it, and never one above the burst: the default.
  case none

  /// Grants a cost of any size as soon as there is no debt; the next caller waits until it is paid
  /// for.
  ///
  /// Over every interval this may add the largest cost to the grants.
  case nextPays
}
