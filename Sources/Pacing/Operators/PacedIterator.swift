/// The iterator of a ``PacedSequence``, which runs the operator.
///
/// ## Concurrency
/// The operator begins to read upstream when the iterator is made, in a task of its own. That task,
/// the timer and upstream are released when the iterator is dropped, when the task that waits in
/// it is cancelled, and at the end. A cancelled task receives nil, and no error. On a manual clock
/// the reading task runs inside `advance`, so an element that a test has sent has been read.
public struct PacedIterator<Element: Sendable, Failure: Error>: AsyncIteratorProtocol {
  private let source: any PacedSource<Element, Failure>
  /// Nil once the end has been seen.
  private var subscription: Subscription?

  init(_ relay: Relay<Element, Failure>, leave: @escaping @Sendable () -> Void) {
    let subscription = Subscription(keeping: nil) {
      relay.leave()
      leave()
    }
    self.init(relay, subscription)
  }

  private init(_ source: any PacedSource<Element, Failure>, _ subscription: Subscription?) {
    self.source = source
    self.subscription = subscription
  }

  /// The same run, of which `show` shows the elements.
  func showing<Shown>(
    _ show: @escaping @Sendable (Element) -> Shown
  ) -> PacedIterator<Shown, Failure> {
    PacedIterator<Shown, Failure>(ShownSource(source: source, show: show), subscription)
  }

  /// Returns the next element, nil at the end; without suspending if one has been decided.
  ///
  /// - Throws: The error of upstream, once, after every element that was decided before it.
  public mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    guard let subscription else { return nil }
    let source = source
    let element = await withTaskCancellationHandler {
      await source.next()
    } onCancel: {
      subscription.end()
    }
    if let element { return element }
    let failure = source.takeFailure()
    self.subscription = nil
    if let failure { throw failure }
    return nil
  }
}

/// What an iterator takes its elements from.
protocol PacedSource<Element, Failure>: Sendable {
  associatedtype Element: Sendable
  associatedtype Failure: Error

  /// The next element, nil at the end.
  func next() async -> Element?

  /// What is thrown at the end, once.
  func takeFailure() -> Failure?
}

extension Relay: PacedSource {
  typealias Element = Output
}

/// A source whose elements are shown as others.
private struct ShownSource<Held: Sendable, Element: Sendable, Failure: Error>: PacedSource {
  let source: any PacedSource<Held, Failure>
  let show: @Sendable (Held) -> Element

  func next() async -> Element? { await source.next().map(show) }
  func takeFailure() -> Failure? { source.takeFailure() }
}
