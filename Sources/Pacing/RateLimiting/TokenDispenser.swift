/// The shell around a limit's state: the lock, the clock, and the one timer for the head of the queue.
///
/// Whoever's tokens have come is served before any call is answered, so a late timer changes no
/// order. A grant and a withdrawal are decided under the one lock: the first one wins.
///
/// ## Concurrency
/// What was decided is handed out after the lock, by one thread at a time, in the order of the
/// decisions. The limit that owns the dispenser may be dropped meanwhile.
final class TokenDispenser<State: QueuedLimit>: TimerTarget where State.Payload == Turn.Request {
  typealias Request = Turn.Request
  typealias Place = WaiterQueue<Request>.Place

  private struct Shell {
    var limit: State
    var alarm = Alarm()
    var decided = [(request: Request, outcome: Turn.Outcome)]()
    /// A thread is handing out what was decided, and will look again before it stops.
    var isHandingOut = false
    /// Nobody holds the limit any more.
    var isClosed = false

    mutating func serve(at now: PacingInstant) {
      while let request = limit.grantNext(at: now) { decided.append((request, .granted(now))) }
    }
  }

  let service: TimerService
  private let shell: Locked<Shell>

  init(service: TimerService, _ makeLimit: (PacingInstant) -> State) {
    self.service = service
    shell = Locked(Shell(limit: makeLimit(service.now)))
  }

  // MARK: Calls

  @inline(__always)
  func tryAcquire(_ cost: Int) -> Bool {
    let answer = shell.withLock { shell -> Bool? in
      shell.limit.waitingCount == 0 ? shell.limit.tryAcquire(cost, at: service.now) : nil
    }
    return answer ?? update { $0.tryAcquire(cost, at: $1) }
  }

  /// Serves those whose tokens have come, and then asks or changes the state.
  func update<Result: Sendable>(_ change: (inout State, PacingInstant) -> Result) -> Result {
    perform { shell in
      let now = service.now
      shell.serve(at: now)
      return change(&shell.limit, now)
    }
  }

  /// Takes tokens for `request` or puts it in the queue; it is always told the outcome, later.
  ///
  /// - Returns: Its place, nil where it does not wait.
  func enter(
    _ cost: Int, within timeout: Nanoseconds?, _ request: @escaping Request
  ) -> Place? {
    perform { shell in
      let now = service.now
      shell.serve(at: now)
      switch shell.limit.admit(cost, within: timeout, at: now) {
      case .granted: shell.decided.append((request, .granted(now)))
      case .refused(let error): shell.decided.append((request, .refused(error)))
      case .mustWait: return shell.limit.join(cost, as: request)
      }
      return nil
    }
  }

  /// Takes a request out of the queue, before anyone else is served; false where it was decided.
  func withdraw(_ place: Place) -> Bool {
    let request = perform { shell in
      let request = shell.limit.withdraw(place)
      shell.serve(at: service.now)
      return request
    }
    request?(.withdrawn)
    return request != nil
  }

  /// Ends every wait that there still is: nobody holds the limit any more.
  func close() {
    perform { shell in
      shell.isClosed = true
      while let request = shell.limit.withdrawFirst() { shell.decided.append((request, .ended)) }
    }
  }

  // MARK: Tasks

  /// Takes tokens, or waits for them until the task is cancelled.
  func take(_ cost: Int, within timeout: Nanoseconds?) async -> Turn.Outcome {
    guard !Task.isCancelled else { return .withdrawn }
    switch begin(cost, within: timeout) {
    case .decided(let outcome):
      return outcome
    case .waiting(let turn, let place):
      return await withTaskCancellationHandler {
        await turn.outcome()
      } onCancel: {
        _ = withdraw(place)
      }
    }
  }

  private enum Beginning: Sendable {
    case decided(Turn.Outcome)
    case waiting(Turn, Place)
  }

  private func begin(_ cost: Int, within timeout: Nanoseconds?) -> Beginning {
    perform { shell in
      guard !shell.isClosed else { return .decided(.ended) }
      let now = service.now
      shell.serve(at: now)
      switch shell.limit.admit(cost, within: timeout, at: now) {
      case .granted: return .decided(.granted(now))
      case .refused(let error): return .decided(.refused(error))
      case .mustWait:
        let turn = Turn(service: service)
        return .waiting(turn, shell.limit.join(cost) { turn.decide($0) })
      }
    }
  }

  // MARK: The timer

  func wake(_ handle: TimerService.Handle) {
    perform { shell in
      shell.alarm.fired(handle)
      shell.serve(at: service.now)
    }
  }

  /// Runs `body` under the lock, sets the alarm for the new head, and hands out what was decided.
  private func perform<Result: Sendable>(_ body: (inout Shell) -> Result) -> Result {
    let (result, mustArm, mustHandOut) = shell.withLock { shell in
      let result = body(&shell)
      let mustArm = shell.alarm.set(shell.limit.deadline, tolerance: 0, for: self, in: service)
      let mustHandOut = !shell.decided.isEmpty && !shell.isHandingOut
      if mustHandOut { shell.isHandingOut = true }
      return (result, mustArm, mustHandOut)
    }
    if mustArm { service.arm() }
    if mustHandOut { handOut() }
    return result
  }

  private func handOut() {
    while true {
      let decided = shell.withLock { shell in
        let decided = shell.decided
        shell.decided = []
        shell.isHandingOut = !decided.isEmpty
        return decided
      }
      guard !decided.isEmpty else { return }
      for (request, outcome) in decided { request(outcome) }
    }
  }
}
