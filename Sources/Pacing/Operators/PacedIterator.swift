/// The iterator of a ``PacedSequence``, which runs the operator.
///
/// ## Concurrency
/// The operator begins to read upstream when the iterator is made, in a task of its own. That task,
/// the timer and upstream are released when the iterator is dropped, when the task that waits in
/// it is cancelled, and at the end. A cancelled task receives nil, and no error. On a manual clock
/// the reading task runs inside `advance`, so an element that a test has sent has been read.
public struct PacedIterator<Element: Sendable, Failure: Error>: AsyncIteratorProtocol {
  private let take: @Sendable () async -> Element?
  private let takeFailure: @Sendable () -> Failure?
  /// Nil once the end has been seen.
  private var subscription: Subscription<Void>?

  init<Output>(
    _ relay: Relay<Output, Failure>, showing show: @escaping @Sendable (Output) -> Element,
    leave: @escaping @Sendable () -> Void
  ) {
    take = { await relay.next().map(show) }
    takeFailure = { relay.takeFailure() }
    subscription = Subscription(to: ()) { _ in
      relay.leave()
      leave()
    }
  }

  /// Returns the next element, nil at the end; without suspending if one has been decided.
  ///
  /// - Throws: The error of upstream, once, after every element that was decided before it.
  public mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    guard let subscription else { return nil }
    let take = take
    let element = await withTaskCancellationHandler {
      await take()
    } onCancel: {
      subscription.end()
    }
    if let element { return element }
    let failure = takeFailure()
    self.subscription = nil
    if let failure { throw failure }
    return nil
  }
}
