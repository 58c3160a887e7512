internal import Dispatch

/// The threads behind `.shared`: as many as there are processors, and more only while handlers
/// block.
///
/// Work waits in one line, from which each thread takes one piece after the other. When threads
/// begin, `WorkerPolicy` decides. A refused one is tried again at the next look.
///
/// ## Concurrency
/// Thread-safe. Pieces begin in the order in which they came, and run at the same time as others.
package final class SharedWorkers: TimerTarget {
  private struct State {
    var line = FIFO<WorkItem>()
    var policy: WorkerPolicy
    var look = TimerEntry()
    /// The bells of the idle threads.
    var idle = [DispatchSemaphore]()
    var refused = 0
  }

  /// What a call owes once the lock is free.
  private struct Calls {
    /// The idle threads to wake.
    var bells: ArraySlice<DispatchSemaphore>
    var starts: Int
    var mustArm: Bool
  }

  /// How many handlers may block before others are held up.
  private static var limit: Int { 128 }
  /// How many seconds a thread stays without work.
  private static var patience: Int { 5 }

  private let service: TimerService
  private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let state: Locked<State>

  /// The threads of the process; the first one starts when it is first needed.
  package static let system = SharedWorkers(
    service: .system, width: Platform.processorCount, startThread: Platform.startThread)

  /// `width` is the number of processors; `startThread` returns whether the system made the thread.
  package init(
    service: TimerService, width: Int,
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool
  ) {
    self.service = service
    self.startThread = startThread
    state = Locked(State(policy: WorkerPolicy(width: width, limit: Self.limit)))
  }

  package func perform(_ piece: WorkItem) {
    make(
      state.withLock { state in
        state.line.append(piece)
        return prepare(state.policy.added(), &state)
      })
  }

  /// Calls no thread for what comes until `release()`: one wake for a crowd, not one for each.
  func hold() {
    state.withLock { $0.policy.held() }
  }

  func release() {
    make(state.withLock { state in prepare(state.policy.released(), &state) })
  }

  /// How many pieces run, how many wait, and how many threads the system has refused.
  package var counts: (running: Int, waiting: Int, refused: Int) {
    state.withLock { ($0.policy.busy, $0.policy.waiting, $0.refused) }
  }

  package func wake(_ handle: TimerService.Handle) {
    make(
      state.withLock { state in
        state.look.fired(handle)
        return prepare(state.policy.looked(), &state)
      })
  }

  private func run() {
    let bell = DispatchSemaphore(value: 0)
    repeat {
      var piece = next(for: bell) { $0.arrived() }
      var start = service.now
      while piece != nil {
        // Released before the next one is taken.
        Platform.withAutoreleasePool { piece.take()?() }
        let end = service.now
        piece = next(for: bell) { $0.ended(after: end - start) }
        start = end
      }
    } while isCalled(bell)
  }

  /// Takes the next piece, or waits among the idle.
  private func next(
    for bell: DispatchSemaphore,
    _ event: (inout WorkerPolicy) -> (takes: Bool, step: WorkerPolicy.Step)
  ) -> WorkItem? {
    let (piece, calls) = state.withLock { state -> (WorkItem?, Calls) in
      let (takes, step) = event(&state.policy)
      let piece = takes ? state.line.popFirst() : nil
      let calls = prepare(step, &state)
      if piece == nil { state.idle.append(bell) }
      return (piece, calls)
    }
    make(calls)
    return piece
  }

  /// Waits to be called; a thread that is not is no longer among the idle afterwards.
  private func isCalled(_ bell: DispatchSemaphore) -> Bool {
    guard bell.wait(timeout: .now() + .seconds(Self.patience)) == .timedOut else { return true }
    let hasLeft = state.withLock { state in
      guard let index = state.idle.firstIndex(where: { $0 === bell }) else { return false }
      state.idle.remove(at: index)
      return true
    }
    // A call that came at the last moment rings.
    if !hasLeft { bell.wait() }
    return !hasLeft
  }

  private func prepare(_ step: WorkerPolicy.Step, _ state: inout State) -> Calls {
    let mustArm =
      step.mustLook
      && state.look.set(
        service.now + WorkerPolicy.interval, tolerance: WorkerPolicy.interval / 2, for: self,
        in: service)
    let bells = state.idle.suffix(step.calls)
    state.idle.removeLast(bells.count)
    return Calls(bells: bells, starts: step.calls - bells.count, mustArm: mustArm)
  }

  private func make(_ calls: Calls) {
    for bell in calls.bells { bell.signal() }
    for _ in 0..<calls.starts {
      if startThread({ self.run() }) { continue }
      make(
        state.withLock { state in
          state.refused += 1
          return prepare(state.policy.failed(), &state)
        })
    }
    if calls.mustArm { service.arm() }
  }
}
