/// A sequence that collects the elements of another one into batches.
///
/// `batched(_:)` makes it.
public struct BatchedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
  /// A batch: elements of upstream, in order.
  public typealias Element = [Base.Element]
  /// The errors are those of upstream.
  public typealias Failure = Base.Failure
  /// What a loop takes the elements from.
  public typealias AsyncIterator = PacedIterator<Element, Failure>

  let upstream: Upstream<Base>
  let limit: BatchLimit
  let weigh: @Sendable (Base.Element) -> Int

  /// Begins to read upstream: each call is a run of its own.
  public func makeAsyncIterator() -> AsyncIterator {
    upstream.iterator(
      through: BatchState(limit, start: upstream.clock.now), room: limit.room
    ) { [weigh] pacer, element in
      let weight = weigh(element)
      _ = pacer.update { $0.send(element, weight: weight, at: $1) }
    } finish: { state, finish, now in
      state.finish(finish, at: now)
    }
  }
}

extension BatchLimit {
  /// How many closed batches wait for the consumer of a sequence: two, unless it says otherwise.
  fileprivate var room: Int { maximumPendingBatches == .max ? 2 : maximumPendingBatches }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Collects the elements into batches: by number, by weight, by time, whichever comes first.
  ///
  /// Use it where many small things are cheaper done together. No element is lost.
  ///
  /// ```swift
  /// let limit = BatchLimit(maximumCount: 500, maximumDelay: .milliseconds(50))
  /// for try await rows in changes.batched(limit) { try await database.insert(rows) }
  /// ```
  ///
  /// At most three, at most four steps after the first; drawn is how many a batch has:
  ///
  ///     upstream   a-b-----cdef---g|
  ///     batches    ----2-----3----1(1|)
  ///
  /// ## Timing
  /// A batch closes as in a `Batcher`, counted from the arrival of its elements. While two closed
  /// batches wait for a consumer that is slow, or as many as the limit has with `holding(atMost:)`,
  /// upstream is not read, so no number of elements piles up. At the end the open batch is
  /// delivered at once.
  ///
  /// ## Concurrency
  /// See `PacedIterator`.
  ///
  /// - Parameters:
  ///   - limit: When a batch closes.
  ///   - weigh: What an element weighs, asked once; negative counts as nothing.
  ///   - atEnd: What becomes of an open batch when upstream ends.
  ///   - onError: What becomes of an open batch when upstream throws, before the error is thrown.
  ///   - tolerance: How much later time may close a batch, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The batches, with the errors of upstream.
  public func batched(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    atEnd: Finish = .deliver, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> BatchedSequence<Self> {
    BatchedSequence(
      upstream: Upstream(
        base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock),
      limit: limit, weigh: weigh)
  }

  /// Collects the elements into batches by number and time, the usual form of `batched(_:)`.
  ///
  /// - Parameters:
  ///   - maximumCount: How many elements a batch has at most.
  ///   - maximumDelay: How long after its first element a batch closes.
  ///   - atEnd: What becomes of an open batch when upstream ends.
  ///   - onError: What becomes of an open batch when upstream throws, before the error is thrown.
  ///   - tolerance: How much later time may close a batch, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The batches, with the errors of upstream.
  /// - Precondition: `maximumCount` is positive; what `BatchLimit(validating:)` takes is.
  public func batched(
    maximumCount: Int, maximumDelay: Duration, atEnd: Finish = .deliver,
    onError: Finish = .discard, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> BatchedSequence<Self> {
    batched(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), atEnd: atEnd,
      onError: onError, tolerance: tolerance, clock: clock)
  }
}
