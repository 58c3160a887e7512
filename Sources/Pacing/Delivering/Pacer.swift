/// The one shell around every pure state: the lock, the alarm, and the life of a delivery.
///
/// A delivery is pending in the state, then decided, then running, then done; at most one is decided
/// or running at a time. What falls due meanwhile is held in the state, by the state's own rule, and
/// decided when the running one has ended. So a slow handler needs no queue and bounds memory.
///
///     pending ──due──▶ decided ──its queue begins it──▶ running ──▶ done
///        └────────── cancel ──────────┘
///
/// ## Concurrency
/// Every call reads the clock under the lock, so time never runs backwards inside a tool. Mailboxes
/// are filled under the lock, in the order of the decisions. Handlers, continuations, the timer
/// service's arming, and the release of users' values come after it.
final class Pacer<State: PacedState>: TimerTarget {
  typealias Output = State.Output

  private struct Shell {
    var state: State
    var handler: Handler<Output>?
    var alarm = Alarm()
    var decided: Parcel<Output>?
    var isRunning = false
    /// A work item of ours is in the handler's queue; a cancelled one is reused by the next delivery.
    var isEnqueued = false
    var mailboxes = [Mailbox<Output>]()
    var hasDecided = false
    /// Tasks that wait until no handler runs, and all that was due at an instant has been delivered.
    var waiters = [(instant: PacingInstant?, continuation: CheckedContinuation<Void, Never>)]()

    @inline(__always)
    var isBusy: Bool { decided != nil || isRunning }

    /// Whether no handler runs, and what was due at that instant has been delivered or withdrawn.
    func isQuiet(since instant: PacingInstant?) -> Bool {
      guard !isRunning, let instant else { return !isRunning }
      return decided == nil && instant < state.deadline
    }
  }

  let service: TimerService
  private let tolerance: Nanoseconds
  private let hasHandler: Bool
  private let shell: Locked<Shell>

  /// How many decisions one hold of the lock makes; only an unlimited burst comes near it.
  private static var decisionsAtOnce: Int { 256 }

  init(
    _ state: State, handler: Handler<Output>?, tolerance: Duration, clock: some PacingClock
  ) {
    service = clock.service
    self.tolerance = Nanoseconds(wait: tolerance)
    hasHandler = handler != nil
    shell = Locked(Shell(state: state, handler: handler))
    // A grid that delivers something even when nothing came begins by itself.
    if state.deadline != .distantFuture { perform { _, _ in } }
  }

  deinit {
    // What was to come at an instant that never comes has nobody left to bring it.
    for mailbox in shell.withLock({ $0.mailboxes }) { mailbox.end()?.resume() }
  }

  // MARK: Calls

  /// Decides what is due, changes the state, and decides again: a value, a flush, a finish.
  @inline(__always)
  func update<Result: Sendable>(_ change: (inout State, PacingInstant) -> Result) -> Result {
    perform { shell, effects in
      let now = service.now
      decide(&shell, at: now, &effects)
      let result = change(&shell.state, now)
      decide(&shell, at: now, &effects)
      return result
    }
  }

  /// Changes the state before anything that is due by now is decided: a reset.
  func overrule<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    perform { shell, effects in
      let result = change(&shell.state)
      decide(&shell, at: service.now, &effects)
      return result
    }
  }

  /// As `update`, unless something is decided that has not begun: then nothing changes.
  ///
  /// - Returns: What `change` returned, nil where it was not called.
  func updateUnlessDecided<Result: Sendable>(
    _ change: (inout State, PacingInstant) -> Result
  ) -> Result? {
    perform { shell, effects in
      let now = service.now
      decide(&shell, at: now, &effects)
      guard shell.decided == nil else { return nil }
      let result = change(&shell.state, now)
      decide(&shell, at: now, &effects)
      return result
    }
  }

  /// Withdraws everything that has not begun, before anything else is decided.
  ///
  /// - Returns: The outputs that were withdrawn, the oldest first. What waits in a stream counts only
  ///   where there is no handler: one that the handler has had was delivered.
  func withdraw(_ cancel: (inout State) -> Output? = { $0.cancel() }) -> [Output] {
    perform { shell, effects in
      let decided = shell.decided.take()?.value
      let undelivered = [decided, cancel(&shell.state)].compactMap(\.self)
      let waiting = shell.mailboxes.map { $0.withdraw() }
      effects.release((undelivered, waiting))
      resumeWaiters(&shell, &effects)
      return (hasHandler ? [] : waiting.first { !$0.isEmpty } ?? []) + undelivered
    }
  }

  /// Asks the state.
  func read<Result: Sendable>(_ query: (State) -> Result) -> Result {
    shell.withLock { query($0.state) }
  }

  /// Asks the state, and what was decided and has not begun.
  func readUndelivered<Result: Sendable>(_ query: (State, Output?) -> Result) -> Result {
    shell.withLock { query($0.state, $0.decided?.value) }
  }

  /// Whether something has yet to be delivered, or was decided and has not begun.
  func isPending(_ holdsSomething: (State) -> Bool) -> Bool {
    shell.withLock { $0.decided != nil || holdsSomething($0.state) }
  }

  /// What a tool calls in its deinit: what is pending is dropped, what is decided still runs.
  func abandon() {
    perform { shell, effects in
      if !shell.state.outlivesItsTool {
        if let dropped = shell.state.cancel() { effects.release(dropped) }
        close(&shell, &effects)
      }
    }
  }

  /// Waits until a handler that runs has ended; one that begins later is not waited for.
  func waitForHandler() async {
    await wait(forWhatIsDueAt: nil)
  }

  /// Waits until the handler of everything that is due by now has ended.
  func waitForDeliveries() async {
    await wait(forWhatIsDueAt: service.now)
  }

  private func wait(forWhatIsDueAt instant: PacingInstant?) async {
    await withCheckedContinuation { continuation in
      let isQuiet = shell.withLock { shell in
        let isQuiet = shell.isQuiet(since: instant)
        if !isQuiet { shell.waiters.append((instant, continuation)) }
        return isQuiet
      }
      if isQuiet { continuation.resume() }
    }
  }

  private func resumeWaiters(_ shell: inout Shell, _ effects: inout Effects) {
    let waiters = shell.waiters
    guard !waiters.isEmpty else { return }
    shell.waiters = []
    for waiter in waiters {
      if shell.isQuiet(since: waiter.instant) {
        effects.add { waiter.continuation.resume() }
      } else {
        shell.waiters.append(waiter)
      }
    }
  }

  // MARK: Streams

  /// A stream of everything that is decided from now on, which keeps `owner` alive; it ends with the
  /// tool.
  func ticks(keeping owner: (any AnyObject & Sendable)? = nil) -> AsyncStream<Output> {
    let mailbox = subscribe()
    return mailbox.stream(keeping: owner) { [weak self] in self?.unsubscribe(mailbox) }
  }

  /// A mailbox that is filled with everything that is decided from now on.
  func subscribe() -> Mailbox<Output> {
    shell.withLock { shell in
      let mailbox = Mailbox<Output>(
        first: shell.hasDecided ? State.first : nil,
        merge: State.isMergeable ? State.merge : nil)
      if shell.state.isFinished { _ = mailbox.end() } else { shell.mailboxes.append(mailbox) }
      return mailbox
    }
  }

  private func unsubscribe(_ mailbox: Mailbox<Output>) {
    shell.withLock { shell in shell.mailboxes.removeAll { $0 === mailbox } }
  }

  // MARK: The life of a delivery

  func wake(_ handle: TimerService.Handle) {
    perform { shell, effects in
      shell.alarm.fired(handle)
      decide(&shell, at: service.now, &effects)
    }
  }

  private func begin() {
    let begun = shell.withLock { shell -> (Handler<Output>, Output)? in
      shell.isEnqueued = false
      guard let handler = shell.handler, let parcel = shell.decided.take() else { return nil }
      shell.isRunning = true
      return (handler, parcel.value)
    }
    guard let (handler, output) = begun else { return }
    handler.body(output)
    perform { shell, effects in
      shell.isRunning = false
      resumeWaiters(&shell, &effects)
      decide(&shell, at: service.now, &effects)
    }
  }

  @inline(__always)
  private func decide(_ shell: inout Shell, at now: PacingInstant, _ effects: inout Effects) {
    if shell.state.deadline <= now, !shell.isBusy { decideDue(&shell, at: now, &effects) }
  }

  private func decideDue(_ shell: inout Shell, at now: PacingInstant, _ effects: inout Effects) {
    var left = Self.decisionsAtOnce
    while shell.state.deadline <= now, !shell.isBusy, left > 0 {
      left -= 1
      guard let output = shell.state.due(at: now) else { continue }
      shell.hasDecided = true
      for mailbox in shell.mailboxes {
        if let resumption = mailbox.offer(output) { effects.resume(resumption) }
      }
      guard let handler = shell.handler else {
        // A consumer may have let go of it already: the last reference must not go here.
        effects.release(output)
        continue
      }
      shell.decided = Parcel(output)
      if !shell.isEnqueued {
        shell.isEnqueued = true
        effects.placeToBegin = handler.place
      }
    }
    resumeWaiters(&shell, &effects)
  }

  /// Ends the streams, and lets go of the handler once it has run for the last time.
  private func close(_ shell: inout Shell, _ effects: inout Effects) {
    for mailbox in shell.mailboxes {
      if let resumption = mailbox.end() { effects.resume(resumption) }
    }
    if !shell.isBusy, let handler = shell.handler.take() { effects.release(handler) }
  }

  /// Runs `body` under the lock, sets the alarm by the new deadline, and then does what it left.
  @inline(__always)
  private func perform<Result: Sendable>(
    _ body: (inout Shell, inout Effects) -> Result
  ) -> Result {
    var effects = Effects()
    let result = shell.withLock { shell in
      let result = body(&shell, &effects)
      if shell.state.isFinished { close(&shell, &effects) }
      let deadline = shell.state.deadline
      // While a delivery is on its way nothing can be decided; its end looks again.
      if !shell.alarm.serves(deadline, in: service), !shell.isBusy || deadline == .distantFuture {
        effects.mustArm = shell.alarm.set(deadline, tolerance: tolerance, for: self, in: service)
      }
      return result
    }
    if !effects.isEmpty { effects.perform(in: service) { self.begin() } }
    return result
  }
}
