/// The elements of another sequence at the pace of a rate limit.
private struct LimitedSequence<Base: AsyncSequence>: AsyncSequence {
  let base: Base
  let limit: any AwaitableLimit
  let cost: @Sendable (Base.Element) -> Int

  /// Takes an element of upstream, and then waits for the limit.
  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let limit: any AwaitableLimit
    let cost: @Sendable (Base.Element) -> Int

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Base.Failure) -> Base.Element? {
      guard let element = try await base.next(isolation: actor),
        await limit.takeTurn(cost(element))
      else { return nil }
      return element
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), limit: limit, cost: cost)
  }
}

extension LimitedSequence: Sendable where Base: Sendable {}

extension AsyncSequence {
  /// Paces the elements by a rate limit: all of them, in order.
  ///
  /// The limit may be shared: all its waiters are served in FIFO order. Use `throttled(every:)` if
  /// only the newest element matters.
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
  /// An element is taken from upstream on demand, and then waits for the limit: upstream is never
  /// more than one element ahead, and nothing is spent before an element comes. The bound of the
  /// limit's queue does not apply.
  ///
  /// ## Concurrency
  /// The sequence ends if its task is cancelled or the limit is closed. A limit of your own ends it
  /// by any error but `AcquireError.exceedsBurst`. It keeps the limit alive.
  ///
  /// An element whose `cost` is above the capacity takes the capacity.
  public func limited(
    by limit: some AwaitableLimit, cost: @escaping @Sendable (Element) -> Int = { _ in 1 }
  ) -> some AsyncSequence<Element, Failure> {
    LimitedSequence(base: self, limit: limit, cost: cost)
  }
}

extension AsyncSequence where Self: Sendable {
  /// As `limited(by:cost:)`, of a sequence that may be handed to other tasks.
  public func limited(
    by limit: some AwaitableLimit, cost: @escaping @Sendable (Element) -> Int = { _ in 1 }
  ) -> some AsyncSequence<Element, Failure> & Sendable {
    LimitedSequence(base: self, limit: limit, cost: cost)
  }
}

extension AwaitableLimit {
  /// Waits for the turn of an element; a cost above the limit's capacity takes all of it.
  ///
  /// False if the limit has ended or refuses, or if the task is cancelled.
  fileprivate func takeTurn(_ cost: Int) async -> Bool {
    if let limit = self as? any StreamingLimit { return await limit.takeNext(cost) != nil }
    var cost = cost
    while true {
      do {
        try await acquire(cost, within: nil)
        return true
      } catch AcquireError.exceedsBurst(_, let burst) where burst >= 1 && burst < cost {
        cost = burst
      } catch {
        return false
      }
    }
  }
}
