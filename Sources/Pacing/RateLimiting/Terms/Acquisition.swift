/// A request to a limit that was made with a completion closure: the handle to withdraw it.
///
/// Dropping the handle does not withdraw the request.
public struct Acquisition: Sendable {
  /// Nil where the request was decided at once.
  private let withdraw: (@Sendable () -> Bool)?

  init(withdraw: (@Sendable () -> Bool)?) {
    self.withdraw = withdraw
  }

  /// Withdraws the request, if it has not been granted yet.
  ///
  /// A grant and a withdrawal are decided under one lock, and the first one wins. A request that
  /// was withdrawn spends nothing, gives its place in the queue to the next, and its completion is
  /// never called; one that was granted has spent its cost, and its completion is called.
  ///
  /// - Returns: Whether the request was withdrawn; false where it was granted, refused or withdrawn
  ///   before.
  @discardableResult
  public func cancel() -> Bool {
    withdraw?() ?? false
  }
}
