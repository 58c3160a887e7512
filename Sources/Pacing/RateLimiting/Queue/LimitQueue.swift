/// The contents around a limit's state: the lock, the clock, and the one timer for the head of the
/// queue.
///
/// Whoever's tokens have come is served before any call is answered, so a late timer changes no
/// order. A grant and a withdrawal are decided under the one lock: the first one wins.
///
/// ## Concurrency
/// What was decided is handed out after the lock, by one thread at a time, in the order of the
/// decisions. The limit that owns the queue may be dropped meanwhile.
final class LimitQueue<State: QueuedLimit>: TimerTarget where State.Payload == Turn.Request {
  typealias Request = Turn.Request
  typealias Place = WaiterQueue<Request>.Place

  private struct Contents {
    var limit: State
    /// Whether the level alone decides; it is worked out whenever anything else changes.
    var isPlain = true
    var timer = TimerEntry()
    var decided = [(request: Request, outcome: Turn.Outcome)]()
    /// A thread is handing out what was decided, and will look again before it stops.
    var isHandingOut = false

    mutating func serve(at now: PacingInstant) {
      while let request = limit.grantNext(at: now) { decided.append((request, .granted(now))) }
    }

    /// Serves those whom a change has helped, and refuses those who cannot be served in time any
    /// more.
    mutating func review(at now: PacingInstant) {
      serve(at: now)
      let refused = limit.refuseHopeless(at: now)
      guard !refused.isEmpty else { return }
      decided += refused.map { ($0.payload, .refused($0.error)) }
      serve(at: now)
    }

    /// Takes tokens for a request, refuses it, or puts it in the queue.
    mutating func enter(
      _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, at now: PacingInstant,
      _ request: () -> Request
    ) -> Entrance {
      serve(at: now)
      switch limit.admit(cost, within: timeout, mayAlwaysJoin: mayAlwaysJoin, at: now) {
      case .granted:
        // He may have been served before others who wait.
        review(at: now)
        return .decided(.granted(now))
      case .refused(let error): return .decided(.refused(error))
      case .mustWait: break
      }
      if !mayAlwaysJoin, let displaced = limit.displace() {
        decided.append((displaced, .refused(.queueIsFull(limit: limit.waiters.policy.limit))))
      }
      let place = limit.join(cost, as: request(), within: timeout)
      // He may stand before others now, or in the place of someone whom others waited for.
      review(at: now)
      return .waiting(place)
    }
  }

  private enum Entrance: Sendable {
    case decided(Turn.Outcome)
    case waiting(Place)
  }

  let service: TimerService
  private let contents: Locked<Contents>

  init(service: TimerService, _ makeLimit: (PacingInstant) -> State) {
    self.service = service
    contents = Locked(Contents(limit: makeLimit(service.now)))
  }

  // MARK: Calls

  @inline(__always)
  func tryAcquire(_ cost: Int) -> Bool {
    let answer = contents.withLock { contents -> Bool? in
      contents.isPlain ? contents.limit.tryPlainly(cost, at: service.now) : nil
    }
    return answer ?? update { $0.tryAcquire(cost, at: $1) }
  }

  /// Serves those whose tokens have come, asks or changes the limit, and serves by the new state.
  func update<Result: Sendable>(_ body: (inout State, PacingInstant) -> Result) -> Result {
    perform { contents in
      let now = service.now
      contents.serve(at: now)
      let result = body(&contents.limit, now)
      contents.review(at: now)
      return result
    }
  }

  /// Takes something back before anyone else is served, and serves those to whom that is of use.
  func revoke<Result: Sendable>(_ body: (inout State, PacingInstant) -> Result) -> Result {
    perform { contents in
      let now = service.now
      let result = body(&contents.limit, now)
      contents.serve(at: now)
      return result
    }
  }

  /// Takes tokens for `request` or puts it in the queue; it is always told the outcome, later.
  ///
  /// - Returns: Its place, nil where it does not wait.
  func enter(
    _ cost: Int, within timeout: Nanoseconds?, _ request: @escaping Request
  ) -> Place? {
    perform { contents in
      switch contents.enter(
        cost, within: timeout, mayAlwaysJoin: false, at: service.now, { request })
      {
      case .waiting(let place): return place
      case .decided(let outcome):
        contents.decided.append((request, outcome))
        return nil
      }
    }
  }

  /// Takes a request out of the queue; false where it was decided.
  func withdraw(_ place: Place) -> Bool {
    let request = revoke { limit, _ in limit.withdraw(place) }
    request?(.withdrawn)
    return request != nil
  }

  /// Ends it: those who wait are told `outcome`, and those who come later are refused.
  func close(_ outcome: Turn.Outcome) {
    perform { contents in
      contents.serve(at: service.now)
      contents.limit.isClosed = true
      while let request = contents.limit.refuseFirst() {
        contents.decided.append((request, outcome))
      }
    }
  }

  // MARK: Tasks

  /// Takes tokens, or waits for them until the task is cancelled; the queue's limit does not
  /// concern a caller who cannot be told of a refusal.
  func take(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool = false
  ) async -> Turn.Outcome {
    guard !Task.isCancelled else { return .withdrawn }
    let turn = OneShot<Turn.Outcome>(countedBy: service)
    let entrance = perform { contents in
      contents.enter(cost, within: timeout, mayAlwaysJoin: mayAlwaysJoin, at: service.now) {
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
  /// One that makes way in a full queue comes again; one that costs more than the bucket can give
  /// takes a full one.
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

  func wake(_ handle: TimerService.Handle) {
    perform { contents in
      contents.timer.fired(handle)
      contents.serve(at: service.now)
    }
  }

  /// Runs `body` under the lock, sets the timer for the new head, and hands out what was decided.
  private func perform<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    let (result, mustArm, mustHandOut) = contents.withLock { contents in
      let result = body(&contents)
      contents.isPlain = contents.limit.isPlain
      let mustArm = contents.timer.set(
        contents.limit.deadline, tolerance: 0, for: self, in: service)
      let mustHandOut = !contents.decided.isEmpty && !contents.isHandingOut
      if mustHandOut { contents.isHandingOut = true }
      return (result, mustArm, mustHandOut)
    }
    if mustArm { service.arm() }
    if mustHandOut { handOut() }
    return result
  }

  private func handOut() {
    while true {
      let decided = contents.withLock { contents in
        let decided = contents.decided
        contents.decided = []
        contents.isHandingOut = !decided.isEmpty
        return decided
      }
      guard !decided.isEmpty else { return }
      for (request, outcome) in decided { request(outcome) }
    }
  }
}
