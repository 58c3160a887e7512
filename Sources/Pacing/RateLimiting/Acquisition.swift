/// A request for tokens that was made with a completion closure: the handle to withdraw it.
///
/// Dropping the handle does not withdraw the request.
public struct Acquisition: Sendable {
  let dispenser: TokenDispenser
  /// Nil where the request was decided at once.
  let place: TokenDispenser.State.Place?

  /// Withdraws the request, if its tokens have not been granted yet.
  ///
  /// A grant and a withdrawal are decided under one lock, and the first one wins. A request that was
  /// withdrawn spends nothing, gives its place in the queue to the next, and its completion is never
  /// called; one that was granted has spent its tokens, and its completion is called.
  ///
  /// - Returns: Whether the request was withdrawn; false where it was granted, refused or withdrawn
  ///   before.
  @discardableResult
  public func cancel() -> Bool {
    place.map(dispenser.withdraw) ?? false
  }
}
