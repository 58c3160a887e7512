/// What comes first where a call of a test and a timer fall on the same instant.
///
/// On a real clock it is chance; a test that holds for both holds for whatever happens.
public struct Ties: Hashable, Sendable {
  let callsAreFirst: Bool

  /// The timers run, and then the call is made.
  public static let timersFirst = Ties(callsAreFirst: false)

  /// The call is made, and then the timers run: late by nothing, but after it.
  public static let callsFirst = Ties(callsAreFirst: true)
}
