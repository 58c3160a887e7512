extension BatchLimit {
  /// How many closed batches wait for the consumer of a sequence: two, unless it says otherwise.
  fileprivate var room: Int { maximumPendingBatches == .max ? 2 : maximumPendingBatches }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Collects the elements into batches: by number, by weight, by time, whichever comes first.
  ///
  /// Use it if many small things are cheaper done together. No element is lost.
  ///
  /// ```swift
  /// let limit = BatchLimit(maximumCount: 500, maximumDelay: .milliseconds(50))
  /// for try await rows in changes.batched(limit) { try await database.insert(rows) }
  /// ```
  ///
  /// At most three, at most four steps after the first; digits are batch sizes:
  ///
  ///     upstream   a-b-----cdef---g|
  ///     batches    ----2-----3----1(1|)
  ///
  /// ## Timing
  /// A batch closes as in a ``Batcher``, counted from the arrival of its elements. There is
  /// back-pressure: while two closed batches wait for the consumer, or as many as the limit holds,
  /// upstream is not read. At the end the open batch is delivered at once.
  ///
  /// ## Concurrency
  /// See ``PacedIterator``.
  ///
  /// - Parameters:
  ///   - limit: The conditions that close a batch.
  ///   - weigh: The weight of an element, asked once; negative counts as zero.
  ///   - atEnd: The fate of an open batch when upstream ends.
  ///   - onError: The fate of an open batch when upstream throws, before the error is thrown.
  ///   - tolerance: The maximum extra delay of a batch, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The batches, with the errors of upstream.
  public func batched(
    _ limit: BatchLimit, weigh: @escaping @Sendable (Element) -> Int = { _ in 1 },
    atEnd: Finish = .deliver, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any PacingClock = .dispatch
  ) -> PacedSequence<[Element], Failure> {
    let upstream = Upstream(
      base: self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
    return PacedSequence {
      upstream.iterator(through: BatchState(limit, start: clock.now), room: limit.room) {
        pacer, element in
        let weight = weigh(element)
        _ = pacer.update { $0.send(element, weight: weight, at: $1) }
      } finish: { state, finish, now in
        state.finish(finish, at: now)
      }
    }
  }

  /// Collects the elements into batches by number and time, the usual form of `batched(_:)`.
  ///
  /// - Parameters:
  ///   - maximumCount: The maximum number of elements in a batch.
  ///   - maximumDelay: The time from a batch's first element until it closes.
  ///   - atEnd: The fate of an open batch when upstream ends.
  ///   - onError: The fate of an open batch when upstream throws, before the error is thrown.
  ///   - tolerance: The maximum extra delay of a batch, so that timers can share a wake.
  ///   - clock: The clock that the operator follows.
  /// - Returns: The batches, with the errors of upstream.
  /// - Precondition: `maximumCount` is positive; `BatchLimit(validating:)` checks values known only
  ///   at run time.
  public func batched(
    maximumCount: Int, maximumDelay: Duration, atEnd: Finish = .deliver,
    onError: Finish = .discard, tolerance: Duration = .zero, clock: any PacingClock = .dispatch
  ) -> PacedSequence<[Element], Failure> {
    batched(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), atEnd: atEnd,
      onError: onError, tolerance: tolerance, clock: clock)
  }
}
