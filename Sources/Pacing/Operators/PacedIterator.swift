/// What a loop over an operator takes its elements from: the iterator of `DebouncedSequence` and of
/// all its siblings.
///
/// ## Concurrency
/// The operator reads upstream from the moment at which the iterator is made, in a task of its own.
/// That task, the timer and upstream are released when the iterator is dropped, when the task that
/// waits in it is cancelled, and when it has ended. A cancelled task gets nil, and no error. On a
/// manual clock the reading task runs inside `advance`, so a test that has sent an element finds it
/// read.
public struct PacedIterator<Element: Sendable, Failure: Error>: AsyncIteratorProtocol {
  private let relay: Relay<Element, Failure>
  /// Nil once the end has been seen.
  private var subscription: Subscription?

  init(_ relay: Relay<Element, Failure>, leave: @escaping @Sendable () -> Void) {
    self.relay = relay
    subscription = Subscription(keeping: nil) {
      relay.leave()
      leave()
    }
  }

  /// The next element, nil at the end; it is there at once where one has been decided already.
  ///
  /// - Throws: The error of upstream, once, after every element that was decided before it.
  public mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    guard let subscription else { return nil }
    let relay = relay
    let element = await withTaskCancellationHandler {
      await relay.next()
    } onCancel: {
      subscription.end()
    }
    if let element { return element }
    let failure = relay.takeFailure()
    self.subscription = nil
    if let failure { throw failure }
    return nil
  }
}
