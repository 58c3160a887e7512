internal import Dispatch

/// The threads behind `.shared`: as many as there are cores, and more only while handlers block.
///
/// Work waits in one list. While it moves, a worker for each core takes it from there, one piece
/// after the other, without a dispatch for each. When none has been taken for a while the workers
/// are taken to be blocked, and as many again begin: handlers that block delay others by a few such
/// whiles. Dispatch's own concurrent queues would notice it after a second.
///
/// ## Concurrency
/// Pieces begin in the order in which they came, and run at the same time as others.
final class SharedWorkers: TimerTarget {
  private struct State {
    var work = FIFO<WorkItem>()
    var workers = 0
    /// Serial queues that no worker uses; each brings its own thread, however many are blocked.
    var lanes = [DispatchQueue]()
    var watch = TimerEntry()
    /// How many pieces had been taken when the watch was set.
    var taken = 0
    var takenAtWatch = 0

    mutating func take() -> WorkItem? {
      guard let piece = work.popFirst() else { return nil }
      taken &+= 1
      return piece
    }

    /// The lanes of workers that are to begin.
    mutating func hire(_ count: Int) -> [DispatchQueue] {
      workers += count
      return (0..<count).map { _ in lanes.popLast() ?? DispatchQueue(label: "pacing.shared") }
    }
  }

  /// How long no piece is taken before more workers begin, where there is one for each core.
  ///
  /// The more there are, the longer: those that wait for a core, or for each other, are not
  /// blocked, and more of them would only wait longer.
  private static var patience: Nanoseconds { 2_000_000 }
  /// How many workers there are at the most, blocked ones included.
  private static var limit: Int { 128 }

  private let service: TimerService
  private let width: Int
  private let state = Locked(State())

  /// The workers of the process, made when they are first needed.
  static let system = SharedWorkers(service: .system, width: Platform.processorCount)

  init(service: TimerService, width: Int) {
    self.service = service
    self.width = width
  }

  /// Runs a piece of work as soon as there is a thread for it.
  func perform(_ piece: WorkItem) {
    let (lanes, mustArm) = state.withLock { state in
      state.work.append(piece)
      return state.workers < width ? (state.hire(1), false) : ([], watch(&state))
    }
    begin(on: lanes, mustArm: mustArm)
  }

  func wake(_ handle: TimerService.Handle) {
    let (lanes, mustArm) = state.withLock { state in
      state.watch.fired(handle)
      guard !state.work.isEmpty else { return ([DispatchQueue](), false) }
      let isStuck = state.taken == state.takenAtWatch
      let more = min(state.workers, state.work.count, Self.limit - state.workers)
      return (isStuck ? state.hire(more) : [], watch(&state))
    }
    begin(on: lanes, mustArm: mustArm)
  }

  private func begin(on lanes: [DispatchQueue], mustArm: Bool) {
    if mustArm { service.arm() }
    for lane in lanes { lane.async { self.work(on: lane) } }
  }

  /// Looks again in a while, if it is not going to already.
  private func watch(_ state: inout State) -> Bool {
    guard state.watch.serves(.distantFuture, in: service) else { return false }
    state.takenAtWatch = state.taken
    let patience = Self.patience * Nanoseconds(max(1, state.workers / width))
    return state.watch.set(
      service.now + patience, tolerance: patience / 2, for: self, in: service)
  }

  private func work(on lane: DispatchQueue) {
    while let piece = next(on: lane) { piece() }
  }

  private func next(on lane: DispatchQueue) -> WorkItem? {
    state.withLock { state in
      if let piece = state.take() { return piece }
      state.workers -= 1
      state.lanes.append(lane)
      return nil
    }
  }
}
