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
  /// `weigh` is that of a ``Batcher``; the parameters after it are those of `debounced(for:)`.
  public func batched(
    _ limit: BatchLimit, weigh: (@Sendable (Element) -> Int)? = nil,
    atEnd: Finish? = nil, onError: Finish = .discard, tolerance: Duration = .zero,
    clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<[Element], Failure> {
    let upstream = Upstream(
      self, atEnd: atEnd, onError: onError, tolerance: tolerance, clock: clock)
    let room = limit.maximumPendingBatches == .max ? 2 : limit.maximumPendingBatches
    return PacedSequence {
      let pacer = BatchPacer(limit, tolerance: tolerance, service: upstream.service)
      return upstream.iterator(
        through: pacer, showing: { $0.map { $0.get() } }, room: room
      ) { element in
        pacer.send(AnyValue(element), weight: weigh.map { $0(element) } ?? 1)
      }
    }
  }

  /// Collects the elements into batches by number, and time from a batch's first element until it
  /// closes: the usual form of `batched(_:)`.
  ///
  /// - Precondition: `maximumCount` is positive.
  public func batched(
    maximumCount: Int, maximumDelay: Duration, atEnd: Finish? = nil,
    onError: Finish = .discard, tolerance: Duration = .zero, clock: any Clock<Duration> = .dispatch
  ) -> PacedSequence<[Element], Failure> {
    batched(
      BatchLimit(maximumCount: maximumCount, maximumDelay: maximumDelay), atEnd: atEnd,
      onError: onError, tolerance: tolerance, clock: clock)
  }
}
