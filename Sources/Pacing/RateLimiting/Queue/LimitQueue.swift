/// The lock, the clock and the timer around the state of a limit.
///
/// Waiters that are due are served before any call is answered, so a late timer changes no order. A
/// grant and a withdrawal are decided under one lock: the first one wins.
///
/// ## Concurrency
/// Outcomes are delivered after the lock is released, by one thread at a time, in the order of the
/// decisions. The limit that owns the queue may be dropped meanwhile.
final class LimitQueue<State: QueueState>: TimerTarget where State.Payload == Turn.Request {
  typealias Request = Turn.Request
  typealias Place = WaiterQueue<Request>.Place

  private struct Contents {
    var limit: State
    /// Whether `tryPlainly` may decide; recomputed after every other change.
    var isPlain: Bool
    var timer = TimerEntry()
    var decided = DecidedRequests<Request>()
  }

  let service: TimerService
  private let contents: Locked<Contents>
  /// What a wake does, compiled with the initialiser for each concrete state; a protocol witness
  /// would be compiled once for all of them, and look up their metadata at every grant.
  private let whenWoken: @Sendable (LimitQueue, TimerService.Handle) -> Void

  init(service: TimerService, _ makeLimit: (PacingInstant) -> State) {
    self.service = service
    let limit = makeLimit(service.now)
    contents = Locked(Contents(limit: limit, isPlain: limit.isPlain))
    whenWoken = { queue, handle in
      queue.perform { contents in
        contents.timer.fired(handle)
        contents.limit.review(at: queue.service.now, telling: &contents.decided)
      }
    }
  }

  // MARK: Calls

  @inline(__always)
  func tryAcquire(_ cost: Int) -> Bool {
    decidePlainly { $0.tryPlainly(cost, at: $1) } ?? update { $0.tryAcquire(cost, at: $1) }
  }

  /// Asks the limit if `tryPlainly` may decide, nil if not.
  @inline(__always)
  func decidePlainly<Answer: Sendable>(
    _ body: (inout State, PacingInstant) -> Answer
  ) -> Answer? {
    contents.withLock { contents in
      contents.isPlain ? body(&contents.limit, service.now) : nil
    }
  }

  /// Reviews the waiters, queries or changes the limit, and reviews the waiters again.
  func update<Result: Sendable>(_ body: (inout State, PacingInstant) -> Result) -> Result {
    perform { contents in
      let now = service.now
      contents.limit.review(at: now, telling: &contents.decided)
      let result = body(&contents.limit, now)
      contents.limit.review(at: now, telling: &contents.decided)
      return result
    }
  }

  /// Takes tokens for `request` or puts it in the queue; the outcome is always delivered later.
  ///
  /// - Returns: Its place, nil if it does not wait.
  func enter(
    _ cost: Int, within timeout: Nanoseconds?, _ request: @escaping Request
  ) -> Place? {
    perform { contents in
      switch contents.limit.enter(
        cost, within: timeout, mayAlwaysJoin: false, at: service.now,
        telling: &contents.decided, { request })
      {
      case .waiting(let place): return place
      case .decided(let outcome):
        contents.decided.append(request, outcome)
        return nil
      }
    }
  }

  /// Removes a request from the queue; false if it was already decided.
  func withdraw(_ place: Place) -> Bool {
    let request = perform { contents in
      contents.limit.leave(place, at: service.now, telling: &contents.decided)
    }
    request?(.withdrawn)
    return request != nil
  }

  /// Closes the limit: waiters are told `outcome`, and later callers are refused.
  func close(_ outcome: Turn.Outcome) {
    perform { contents in
      contents.limit.close(outcome, at: service.now, telling: &contents.decided)
    }
  }

  // MARK: Tasks

  /// Takes tokens, or waits for them until the task is cancelled.
  ///
  /// `mayAlwaysJoin` exempts a caller that cannot be told of a refusal from the queue's bound.
  func take(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool = false
  ) async -> Turn.Outcome {
    guard !Task.isCancelled else { return .withdrawn }
    let turn = OneShot<Turn.Outcome>(countedBy: service)
    let entrance = perform { contents in
      contents.limit.enter(
        cost, within: timeout, mayAlwaysJoin: mayAlwaysJoin, at: service.now,
        telling: &contents.decided
      ) {
        { turn.resolve($0) }
      }
    }
    switch entrance {
    case .decided(let outcome):
      return outcome
    case .waiting(let place):
      return await withTaskCancellationHandler {
        await turn.outcome()
      } onCancel: {
        _ = withdraw(place)
      }
    }
  }

  /// Takes tokens for a stream, nil at its end.
  ///
  /// A request displaced from a full queue is repeated; one that costs more than the burst takes a
  /// full bucket.
  func takeNext(_ cost: Int) async -> PacingInstant? {
    var cost = cost
    while true {
      switch await take(cost, within: nil, mayAlwaysJoin: true) {
      case .granted(let instant): return instant
      case .refused(let error):
        switch error.kind {
        case .exceedsBurst(_, let burst): cost = burst
        case .queueIsFull: continue
        case .deadline, .closed: return nil
        }
      case .withdrawn, .ended: return nil
      }
    }
  }

  // MARK: The timer

  func wake(_ handle: TimerService.Handle) { whenWoken(self, handle) }

  /// Runs `body` under the lock, sets the timer for the new head, and delivers what was decided.
  private func perform<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    let (result, mustArm, mustTell) = contents.withLock { contents in
      let result = body(&contents)
      contents.isPlain = contents.limit.isPlain
      let deadline = contents.limit.deadline
      let tolerance = deadline == .distantFuture ? 0 : contents.limit.tolerance
      let mustArm = contents.timer.set(deadline, tolerance: tolerance, for: self, in: service)
      return (result, mustArm, contents.decided.mustTell())
    }
    if mustArm { service.arm() }
    if mustTell { DecidedRequests.tell { take in contents.withLock { take(&$0.decided) } } }
    return result
  }
}
