/// The order of a test's call and a timer that fall on the same instant.
///
/// On a real clock the order is arbitrary; a test that passes with both covers it.
public struct Ties: Hashable, Sendable {
  let callsAreFirst: Bool

  /// Timers run before the call.
  public static let timersFirst = Ties(callsAreFirst: false)

  /// The call comes before the timers, which run at the same instant.
  public static let callsFirst = Ties(callsAreFirst: true)
}
