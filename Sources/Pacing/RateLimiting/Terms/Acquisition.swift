/// A handle to withdraw a request that was made with a completion closure.
///
/// Dropping the handle does not withdraw the request.
public struct Acquisition: Sendable {
  /// Nil if the request was decided immediately.
  private let withdraw: (@Sendable () -> Bool)?

  init(withdraw: (@Sendable () -> Bool)?) {
    self.withdraw = withdraw
  }

  /// Withdraws the request if it has not been decided yet.
  ///
  /// A grant and a withdrawal are decided under one lock; the first one wins. A withdrawn request
  /// spends nothing, gives its place in the queue to the next waiter, and its completion is never
  /// called. A granted request has spent its cost, and its completion is called.
  ///
  /// - Returns: Whether the request was withdrawn; false if it was already granted, refused or
  ///   withdrawn.
  @discardableResult
  public func cancel() -> Bool {
    withdraw?() ?? false
  }
}
