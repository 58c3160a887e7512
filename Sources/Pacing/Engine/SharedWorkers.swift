internal import Dispatch

/// The threads behind `.shared`: as many as there are processors, and more only while handlers
/// block.
///
/// Work waits in one line, from which each worker takes one piece after the other, without a
/// dispatch for each. When workers begin, `WorkerPolicy` decides. Dispatch's own concurrent queues
/// notice blocked threads only after a second.
///
/// ## Concurrency
/// Thread-safe. Pieces begin in the order in which they came, and run at the same time as others.
final class SharedWorkers: TimerTarget {
  private struct State {
    var line = FIFO<WorkItem>()
    var policy: WorkerPolicy
    var look = TimerEntry()
    /// Serial queues that no worker uses; each brings its own thread, however many are blocked.
    var lanes = [DispatchQueue]()

    /// The lanes of workers that are to begin.
    mutating func takeLanes(_ count: Int) -> [DispatchQueue] {
      (0..<count).map { _ in
        lanes.popLast() ?? DispatchQueue(label: "pacing.shared", qos: .userInitiated)
      }
    }
  }

  /// What a call owes once the lock is free.
  private struct Calls {
    var lanes: [DispatchQueue]
    var mustArm: Bool
  }

  /// How many handlers may block before others are held up.
  private static var limit: Int { 128 }

  private let service: TimerService
  private let state: Locked<State>

  /// The workers of the process, made when they are first needed.
  static let system = SharedWorkers(service: .system, width: Platform.processorCount)

  init(service: TimerService, width: Int) {
    self.service = service
    state = Locked(State(policy: WorkerPolicy(width: width, limit: Self.limit)))
  }

  /// Runs a piece of work as soon as there is a thread for it.
  func perform(_ piece: WorkItem) {
    make(
      state.withLock { state in
        state.line.append(piece)
        return prepare(state.policy.added(), &state)
      })
  }

  var tolerance: Nanoseconds { WorkerPolicy.interval / 2 }

  func wake(_ handle: TimerService.Handle) {
    make(
      state.withLock { state in
        state.look.fired(handle)
        return prepare(state.policy.looked(), &state)
      })
  }

  // MARK: Workers

  private func work(on lane: DispatchQueue) {
    var piece = next(on: lane) { $0.arrived() }
    var start = service.now
    while piece != nil {
      // Released before the next one is taken.
      piece.take()?()
      let end = service.now
      piece = next(on: lane) { $0.ended(after: end - start) }
      start = end
    }
  }

  /// Takes the next piece, or frees the lane.
  private func next(
    on lane: DispatchQueue,
    _ event: (inout WorkerPolicy) -> (takes: Bool, step: WorkerPolicy.Step)
  ) -> WorkItem? {
    let (piece, calls) = state.withLock { state -> (WorkItem?, Calls) in
      let (takes, step) = event(&state.policy)
      let piece = takes ? state.line.popFirst() : nil
      if piece == nil { state.lanes.append(lane) }
      return (piece, prepare(step, &state))
    }
    make(calls)
    return piece
  }

  // MARK: What the policy asks for

  private func prepare(_ step: WorkerPolicy.Step, _ state: inout State) -> Calls {
    let mustArm =
      step.mustLook
      && state.look.set(
        service.now + WorkerPolicy.interval, tolerance: tolerance, for: self,
        in: service)
    return Calls(lanes: state.takeLanes(step.calls), mustArm: mustArm)
  }

  private func make(_ calls: Calls) {
    for lane in calls.lanes { lane.async { self.work(on: lane) } }
    if calls.mustArm { service.arm() }
  }
}
