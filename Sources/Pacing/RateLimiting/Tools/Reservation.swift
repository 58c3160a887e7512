/// Tokens of a `TokenBucket` that were taken ahead: usable from a time on, to be cancelled until
/// then.
///
/// ## Concurrency
/// All methods may be called from any thread. Dropping a reservation does not give it back, and
/// ends what the bucket remembers of it. It does not keep its bucket alive.
public final class Reservation: Sendable {
  private enum Phase {
    case reserved
    case used
    case cancelled
  }

  // Changed under the queue's lock, too: it decides between a use and a cancellation.
  private struct State {
    var phase = Phase.reserved
    var isSettled = false
    var sleeps = [OneShot<SleepEnd>]()
  }

  /// How many tokens were reserved.
  public let cost: Int

  /// The instant from which the reservation can be used.
  public var instant: PacingInstant { reserved.due }

  private let queue: LimitQueue<BucketState<Turn.Request>>
  private let reserved: BucketState<Turn.Request>.Reserved
  private let state = Locked(State())

  init(
    queue: LimitQueue<BucketState<Turn.Request>>,
    reserved: BucketState<Turn.Request>.Reserved, cost: Int
  ) {
    self.queue = queue
    self.reserved = reserved
    self.cost = cost
  }

  deinit {
    let reserved = reserved
    if reserved.number != nil { queue.update { bucket, _ in bucket.forget(reserved) } }
  }

  /// How long until the reservation can be used; zero once its time has come.
  public var delay: Duration {
    Duration(nanoseconds: max(0, instant - queue.service.now))
  }

  /// Waits for the reservation's time.
  ///
  /// ## Concurrency
  /// Once it has returned, the reservation is used and cannot be cancelled. In a task that is
  /// cancelled before the time it cancels the reservation.
  ///
  /// - Throws: `CancellationError` where the reservation is cancelled, or the task before its time.
  public func ready() async throws {
    let sleep = OneShot<SleepEnd>(countedBy: queue.service)
    state.withLock { $0.sleeps.append(sleep) }
    defer { state.withLock { $0.sleeps.removeAll { $0 === sleep } } }
    guard state.withLock({ $0.phase }) != .cancelled else { throw CancellationError() }
    do {
      try await queue.service.sleep(until: instant, as: sleep)
    } catch {
      // What is settled stays as it is; the task leaves all the same.
      guard cancel() || queue.service.now >= instant else { throw error }
    }
    let isUsed = queue.update { _, _ in
      state.withLock { state in
        if state.phase == .reserved { state.phase = .used }
        return state.phase == .used
      }
    }
    guard isUsed else { throw CancellationError() }
  }

  /// Gives the tokens back, up to and including the reservation's time.
  ///
  /// What later reservations do not need is there for others as if it had never been taken.
  ///
  /// - Returns: Whether it was cancelled now; false where its time is over, or it was used, settled
  ///   or cancelled before.
  @discardableResult
  public func cancel() -> Bool {
    let sleeps = queue.update { bucket, now -> [OneShot<SleepEnd>]? in
      guard state.withLock({ $0.phase == .reserved && !$0.isSettled }),
        bucket.cancel(reserved, cost: cost, at: now)
      else { return nil }
      return state.withLock { state in
        state.phase = .cancelled
        return state.sleeps
      }
    }
    for sleep in sleeps ?? [] { sleep.resolve(.cancelled) }
    return sleeps != nil
  }

  /// Corrects the cost, once it is known: an estimate of 1,000 tokens, and 3,417 spent.
  ///
  /// What was reserved too much is given back, as far as the bucket would hold it by now; tokens
  /// for which there was no room meanwhile are gone. What was reserved too little is taken now,
  /// whether it is there or not, and everyone waits until it is paid for. The first call counts,
  /// and none after `cancel()`.
  ///
  /// - Parameter actual: How many tokens were used.
  /// - Precondition: `actual` is not negative.
  public func settle(actual: Int) {
    queue.update { bucket, now in
      let isFirst = state.withLock { state in
        defer { state.isSettled = true }
        return !state.isSettled && state.phase != .cancelled
      }
      if isFirst { bucket.settle(reserved, cost: cost, actual: actual, at: now) }
    }
  }
}
