extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Maps each element by an async operation, of which several run at the same time.
  ///
  /// ```swift
  /// for try await page in urls.mapped(atMost: 8, { try await get($0) }) { save(page) }
  /// ```
  ///
  /// Two at a time; `A` takes six steps, the others two:
  ///
  ///     upstream     A-b---c---
  ///     ordered      ------Abc-
  ///     unordered    ----b-A-c-
  ///
  /// What was taken from upstream and is not handed out yet is never more than `width`, which is
  /// positive, so a slow consumer holds upstream back.
  ///
  /// ## Concurrency
  /// The first error, of an operation or of upstream, cancels the operations that run, drops what
  /// is not handed out, and is thrown when they have ended. A consumer that leaves cancels all and
  /// does not wait for them. See ``PacedIterator``. On the clock, virtual time counts the tasks.
  public func mapped<Output: Sendable>(
    atMost width: Int, inOrder: Bool = true, clock: any Clock<Duration> = .dispatch,
    _ operation: @escaping @Sendable (Element) async throws -> Output
  ) -> PacedSequence<Output, any Error> {
    ConfigurationError.require(width > 0, "atMost", width, must: "be positive")
    let upstream = Upstream(self, tolerance: .zero, clock: clock)
    return PacedSequence {
      // A permit is taken before the element, and given back when the result is handed out.
      upstream.mapped(
        by: ConcurrencyLimit(width, clock: clock), takesFirst: false, inOrder: inOrder, operation)
    }
  }

  /// As `mapped(atMost:inOrder:clock:_:)`, with a width that others may share.
  ///
  /// An element that was taken waits for a permit in turn with all others, and keeps it until its
  /// result is handed out: use one limit for one step of a chain. An ``AcquireError``, of a closed
  /// limit or a full queue, ends the sequence.
  public func mapped<Output: Sendable>(
    atMost limit: ConcurrencyLimit, inOrder: Bool = true,
    clock: any Clock<Duration> = .dispatch,
    _ operation: @escaping @Sendable (Element) async throws -> Output
  ) -> PacedSequence<Output, any Error> {
    let upstream = Upstream(self, tolerance: .zero, clock: clock)
    return PacedSequence {
      upstream.mapped(by: limit, takesFirst: true, inOrder: inOrder, operation)
    }
  }
}

extension Sequence where Element: Sendable {
  /// Maps each element by an async operation, of which several run at the same time.
  ///
  /// ```swift
  /// let pages = try await urls.concurrentMap(atMost: 8) { try await get($0) }
  /// ```
  ///
  /// The results are in the order of the elements. The first error cancels the other operations,
  /// and is thrown when they have ended: no task outlives the call. `width` is positive.
  public func concurrentMap<Output: Sendable>(
    atMost width: Int, _ operation: @escaping @Sendable (Element) async throws -> Output
  ) async throws -> [Output] {
    ConfigurationError.require(width > 0, "atMost", width, must: "be positive")
    return try await withThrowingTaskGroup(of: (Int, Output).self) { group in
      var results = [Int: Output]()
      var count = 0
      for element in self {
        try Task.checkCancellation()
        if count >= width, let (number, result) = try await group.next() {
          results[number] = result
        }
        group.addTask { [count] in (count, try await operation(element)) }
        count += 1
      }
      for try await (number, result) in group { results[number] = result }
      return (0..<count).compactMap { results[$0] }
    }
  }
}

extension Upstream {
  /// Begins to read and to map, each element with a permit, which is taken after it or before.
  fileprivate func mapped<Output: Sendable>(
    by limit: ConcurrencyLimit, takesFirst: Bool, inOrder: Bool,
    _ operation: @escaping @Sendable (Element) async throws -> Output
  ) -> PacedIterator<Output, any Error> {
    let acquire = { @Sendable in Permit(try await limit.queue.acquire(1, as: .completion)) }
    let run = MapRun<Output>(inOrder: inOrder)
    let iterator = base.makeAsyncIterator()
    let reader = Task(executorPreference: service.manual) {
      await withDiscardingTaskGroup { group in
        var (iterator, number) = (iterator, 0)
        do {
          while true {
            let early = takesFirst ? nil : try await acquire()
            guard let element = try await iterator.next(isolation: #isolation) else { return }
            let permit = if let early { early } else { try await acquire() }
            try Task.checkCancellation()
            group.addTask { [number] in
              do {
                run.land(number, holding: permit, try await operation(element))
              } catch {
                permit.end(limit.outcome(of: error))
                run.fail(error)
              }
            }
            number += 1
          }
        } catch {
          run.fail(error)
        }
      }
      run.relay.end(throwing: nil)
    }
    run.relay.adopt(reader)
    return PacedIterator(
      run.relay,
      showing: {
        $0.permit.release()
        return $0.output
      }, leave: { run.drop() })
  }
}

/// One run of a `mapped` sequence, whose reader has a child task for each operation.
private final class MapRun<Output: Sendable>: Sendable {
  /// What an operation has returned, with the permit that it holds until it is handed out.
  typealias Result = (output: Output, permit: Permit)

  private let mailbox = Mailbox<Result>(.all)
  private let state: Locked<MapState<Result>>
  let relay: Relay<Result, any Error>

  init(inOrder: Bool) {
    relay = Relay(mailbox)
    state = Locked(MapState(inOrder: inOrder))
  }

  /// Hands over a result, and those that can be handed out with it.
  func land(_ number: Int, holding permit: Permit, _ output: Output) {
    let (ready, resumptions) = state.withLock { state in
      let ready = state.land((output, permit), of: number)
      return (ready, ready.compactMap { mailbox.offer($0) })
    }
    for resumption in resumptions { resumption.resume() }
    // What a mailbox that has ended refuses is released outside the lock.
    withExtendedLifetime(ready) {}
  }

  /// Releases the results that wait for those of earlier elements, and all that come.
  func drop() { state.release { $0.fail() } }

  /// Cancels the reader and the operations; the error is thrown when they have ended.
  func fail(_ error: any Error) {
    relay.fail(with: error)
    drop()
    _ = mailbox.withdraw()
    relay.releaseReader()
  }
}
