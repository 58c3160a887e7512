internal import Pacing

/// One client call, and the deadline at which its caller stops waiting.
///
/// The call continues after the deadline, and counts as pending until it ends.
final class Exchange: Sendable {
  typealias Outcome = Result<Inquiry.Reply, StoreFault>

  private struct State {
    var done: (@Sendable (Outcome) -> Void)?
    var deadline: DispatchTimer?
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
  ///   - isFollowUp: Whether the call before it may be on the stack, which must not grow.
  ///   - run: The client.
  func start(
    isFollowUp: Bool, _ run: @escaping @Sendable (ScriptCall) async throws -> [Int64]
  ) {
    let deadline = DispatchTimer.scheduled(after: store.policy.timeout, clock: store.clock) {
      [weak self] in self?.settle(.failure(.timeout))
    }
    state.withLock { $0.deadline = deadline }
    let work: @Sendable () async -> Void = { [self] in
      let outcome = await outcome(run)
      store.ended(part)
      settle(outcome)
    }
    let manual = store.service.manual
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), !isFollowUp,
      manual?.beginsTasksAtOnce ?? true
    {
      Task.immediateDetached(executorPreference: manual?.ofCurrentTask) { await work() }
    } else {
      Task.detached(executorPreference: manual?.ofCurrentTask) { await work() }
    }
  }

  private func outcome(
    _ run: @Sendable (ScriptCall) async throws -> [Int64]
  ) async -> Outcome {
    do {
      return read(try await run(inquiry.call()))
    } catch {
      let fault = StoreFault(error, asking: inquiry)
      // A server that does not know the script has charged nothing, so a retry is safe. After the
      // deadline it would charge a caller that has already been answered.
      guard fault.isUnknownScript, isWaiting else { return .failure(fault) }
    }
    store.repeated()
    do {
      return read(try await run(inquiry.call(.source(LimitScript.source))))
    } catch {
      return .failure(StoreFault(error, asking: inquiry))
    }
  }

  private func read(_ numbers: [Int64]) -> Outcome {
    inquiry.reply(numbers).map { .success($0) } ?? .failure(.malformed)
  }

  private var isWaiting: Bool { state.withLock { $0.done != nil } }

  /// Delivers the outcome if the caller still waits.
  private func settle(_ outcome: Outcome) {
    let before = state.withLock { state in
      defer { state = State() }
      return state
    }
    guard let done = before.done else { return }
    before.deadline?.cancel()
    if case .failure(let fault) = outcome {
      store.note(fault, part: part, begun: begun)
    } else {
      store.note(nil, part: part, begun: begun)
    }
    done(outcome)
  }
}
