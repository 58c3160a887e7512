internal import Pacing

/// One client call, and how long its caller waits for it.
///
/// The call continues after that, and counts as pending until it ends.
final class Exchange: Sendable {
  typealias Outcome = Result<Inquiry.Reply, StoreFault>

  private struct State {
    /// Nil once the caller has its answer.
    var done: (@Sendable (Outcome) -> Void)?
    /// The end of the caller's patience, if that is before the call's deadline.
    var patience: DispatchTimer?
    var deadline: DispatchTimer?
    /// Whether the store knows how the call went.
    var isNoted = false
  }

  private let store: RedisStore
  private let inquiry: Inquiry
  private let part: Int
  private let begun: PacingInstant
  private let state: Locked<State>

  init(
    _ store: RedisStore, _ inquiry: Inquiry, part: Int, begun: PacingInstant,
    _ done: @escaping @Sendable (Outcome) -> Void
  ) {
    self.store = store
    self.inquiry = inquiry
    self.part = part
    self.begun = begun
    state = Locked(State(done: done))
  }

  /// Makes the call.
  ///
  /// - Parameters:
  ///   - came: The instant at which the first of its callers came, if that was during another call:
  ///     then that call may be on the stack, which this one must not deepen.
  ///   - run: The client.
  func start(
    waitingSince came: PacingInstant?,
    _ run: @escaping @Sendable (ScriptCall) async throws -> [Int64]
  ) {
    let timeout = store.policy.timeout
    let patience = came.map { came in
      timer(after: max(.zero, timeout - came.duration(to: begun))) { $0.tell(.failure(.late)) }
    }
    let deadline = timer(after: timeout) { $0.settle(.failure(.timeout)) }
    state.withLock { state in
      state.patience = patience
      state.deadline = deadline
    }
    let work: @Sendable () async -> Void = { [self] in
      let outcome = await outcome(run)
      store.ended()
      settle(outcome)
    }
    let advance = store.service.manual?.ofCurrentTask
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), came == nil {
      Task.immediateDetached(executorPreference: advance) { await work() }
    } else {
      Task.detached(executorPreference: advance) { await work() }
    }
  }

  private func timer(
    after wait: Duration, _ action: @escaping @Sendable (Exchange) -> Void
  ) -> DispatchTimer {
    // Those close to each other share one wake-up of the timer.
    DispatchTimer.scheduled(
      after: wait, tolerance: store.policy.timeout / 4, clock: store.clock
    ) { [weak self] in self.map(action) }
  }

  private func outcome(
    _ run: @Sendable (ScriptCall) async throws -> [Int64]
  ) async -> Outcome {
    do {
      return read(try await run(inquiry.call()))
    } catch {
      let fault = StoreFault(error)
      // A server that does not know the script has charged nothing, so a retry is safe. After the
      // deadline it would charge a caller that has already been answered.
      guard fault.isUnknownScript, isWaiting else { return .failure(fault) }
    }
    store.repeated()
    do {
      return read(try await run(inquiry.call(.source(LimitScript.source))))
    } catch {
      return .failure(StoreFault(error))
    }
  }

  private func read(_ numbers: [Int64]) -> Outcome {
    inquiry.reply(numbers).map { .success($0) } ?? .failure(.malformed)
  }

  private var isWaiting: Bool { state.withLock { $0.done != nil } }

  /// Answers the caller if it still waits.
  private func tell(_ outcome: Outcome) {
    let done = state.withLock { $0.done.take() }
    done?(outcome)
  }

  /// Notes how the call went, and answers the caller if it still waits.
  private func settle(_ outcome: Outcome) {
    let before = state.withLock { state in
      defer { state = State(isNoted: true) }
      return state
    }
    guard !before.isNoted else { return }
    before.patience?.cancel()
    before.deadline?.cancel()
    if case .failure(let fault) = outcome {
      store.note(fault, part: part, begun: begun)
    } else {
      store.note(nil, part: part, begun: begun)
    }
    before.done?(outcome)
  }
}
