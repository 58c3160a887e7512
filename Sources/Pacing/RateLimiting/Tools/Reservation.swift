/// Tokens of a ``TokenBucket`` taken in advance: usable from a given time, and cancellable until
/// then.
///
/// ## Concurrency
/// Thread-safe. Dropping a reservation does not give its tokens back; it releases
/// the bucket's record of it. A reservation does not keep its bucket alive.
public final class Reservation: Sendable {
  private enum Phase {
    case reserved
    case used
    case cancelled
  }

  // Also changed under the queue's lock, which decides between use and cancellation.
  private struct State {
    var phase = Phase.reserved
    var isSettled = false
    var sleeps = [OneShot<SleepEnd>]()
  }

  /// The number of tokens reserved.
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

  /// The time until the reservation can be used; zero once it can.
  public var delay: Duration {
    Duration(nanoseconds: max(0, instant - queue.service.now))
  }

  /// Waits for the reservation's time.
  ///
  /// ## Concurrency
  /// Once it returns, the reservation is used and cannot be cancelled. If the task is cancelled
  /// before the reservation's time, so is the reservation.
  ///
  /// - Throws: `CancellationError` if the reservation is cancelled, or the task is before its time.
  public func ready() async throws {
    let sleep = OneShot<SleepEnd>(countedBy: queue.service)
    state.withLock { $0.sleeps.append(sleep) }
    defer { state.withLock { $0.sleeps.removeAll { $0 === sleep } } }
    guard state.withLock({ $0.phase }) != .cancelled else { throw CancellationError() }
    do {
      try await queue.service.sleep(until: instant, as: sleep)
    } catch {
      // A settled reservation cannot be cancelled; the task leaves all the same.
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
  /// Tokens that later reservations do not need become available as if they had never been taken.
  ///
  /// - Returns: Whether it was cancelled now; false if its time has passed, or if it was already
  ///   used, settled or cancelled.
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

  /// Corrects the cost once it is known: an estimate of 1,000 tokens, and 3,417 used.
  ///
  /// An excess is given back as far as the bucket would still hold it; tokens that would have
  /// overflowed meanwhile are lost. A shortfall is taken now, even into debt, and all callers wait
  /// until it is paid for. Only the first call has an effect, and none after `cancel()`.
  ///
  /// - Parameter actual: The number of tokens used.
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
