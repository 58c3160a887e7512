/// A sequence that hands on the elements of another one at the pace of a rate limit.
///
/// `limited(by:)` makes it.
public struct LimitedSequence<Base: AsyncSequence>: AsyncSequence {
  /// The elements are those of upstream.
  public typealias Element = Base.Element
  /// The errors are those of upstream.
  public typealias Failure = Base.Failure

  let base: Base
  let limit: any LimitingTool
  let cost: @Sendable (Element) -> Int

  /// Takes an element of upstream, and then waits for its turn.
  public struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let limit: any LimitingTool
    let cost: @Sendable (Element) -> Int

    /// Waits for the next element, and then for its turn.
    ///
    /// - Returns: The element; nil at the end of upstream, where the task is cancelled, and where
    ///   the limit is closed.
    /// - Throws: What upstream throws.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      guard let element = try await base.next(isolation: actor),
        await limit.core.queue.takeNext(cost(element)) != nil
      else { return nil }
      return element
    }

    /// As `next(isolation:)`, isolated to nothing.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }
  }

  /// Begins to read upstream: each call is a run of its own.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), limit: limit, cost: cost)
  }
}

extension LimitedSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension LimitedSequence.Iterator: Sendable {}

extension AsyncSequence {
  /// Hands on the elements at the pace of a limit: all of them, and each in its turn.
  ///
  /// The limit may be shared: everyone who asks it is served in one order. Use `throttled(every:)`
  /// where the newest element is all that matters.
  ///
  /// ```swift
  /// for await request in requests.limited(by: bucket) { send(request) }
  /// ```
  ///
  /// A bucket of two that refills with one token in four steps:
  ///
  ///     upstream   abcd----------e
  ///     limited    ab--c---d-----e
  ///
  /// ## Timing
  /// An element is taken from upstream when it is asked for, and then waits for its turn:
  /// upstream is never more than one element ahead, and nothing is spent where nothing comes. The
  /// limit of the queue does not concern it.
  ///
  /// ## Concurrency
  /// The sequence ends where its task is cancelled, and where the limit is closed, which it
  /// keeps.
  ///
  /// - Parameters:
  ///   - limit: The bucket, or whatever else limits it.
  ///   - cost: What an element costs, one unless said otherwise; one that costs more than the limit
  ///     can ever give at once takes all that it can.
  /// - Returns: The same elements, in the same order, with the errors of upstream.
  public func limited(
    by limit: some LimitingTool, cost: @escaping @Sendable (Element) -> Int = { _ in 1 }
  ) -> LimitedSequence<Self> {
    LimitedSequence(base: self, limit: limit, cost: cost)
  }
}
