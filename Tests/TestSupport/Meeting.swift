internal import Foundation
internal import Pacing
internal import Synchronization

/// Makes two calls race: on two threads released at the same moment.
///
/// Each time a random delay holds one of them back a little, so that over many rounds the calls
/// come in either order and overlap in every way.
///
///     let meeting = Meeting()
///     for _ in Soak.seeds(100) {
///       let (flushed, withdrawn) = meeting.of({ tool.flush() }, { tool.cancel() })
///     }
package final class Meeting: Sendable {
  private let partner = Partner()
  private let random: Locked<SplitMix64>

  package init(seed: UInt64 = 1) {
    random = Locked(SplitMix64(seed: seed))
    let partner = partner
    Thread { partner.work() }.start()
  }

  deinit {
    partner.dismiss()
  }

  /// Runs both, the first on the calling thread, and returns their results.
  package func of<First, Second: Sendable>(
    _ first: () -> First, _ second: @escaping @Sendable () -> Second
  ) -> (First, Second) {
    let start = begin(second)
    start.line.cross(after: start.delay)
    let result = first()
    start.end.wait()
    return (result, start.answer.value!)
  }

  /// Runs both, the first in the calling task, and returns their results.
  package func of<First, Second: Sendable>(
    _ first: () async -> First, _ second: @escaping @Sendable () -> Second
  ) async -> (First, Second) {
    let start = begin(second)
    start.line.cross(after: start.delay)
    let result = await first()
    start.wait()
    return (result, start.answer.value!)
  }

  private func begin<Second>(_ second: @escaping @Sendable () -> Second) -> Start<Second> {
    let (own, other) = random.withLock { random in
      let delay = Int.random(in: 0..<1 << Int.random(in: 1...11, using: &random), using: &random)
      return Bool.random(using: &random) ? (delay, 0) : (0, delay)
    }
    let start = Start<Second>(delay: own)
    partner.call {
      start.line.cross(after: other)
      start.answer.put(second())
      start.end.signal()
    }
    return start
  }
}

/// What the two calls share to start and end together.
private struct Start<Second: Sendable>: Sendable {
  let delay: Int
  let line = StartingLine()
  let answer = Slot<Second>()
  let end = DispatchSemaphore(value: 0)

  /// The partner is a dedicated thread, so it needs no thread of the task pool.
  func wait() { end.wait() }
}

/// A spinning barrier for two threads.
private final class StartingLine: Sendable {
  private let present = Atomic(0)

  func cross(after delay: Int) {
    present.add(1, ordering: .acquiringAndReleasing)
    var spins = 0
    while present.load(ordering: .acquiring) < 2 {
      spins += 1
      if spins > 500 { sched_yield() }
    }
    for _ in 0..<delay { _ = present.load(ordering: .relaxed) }
  }
}

/// The second thread; it ends with its meeting.
private final class Partner: Sendable {
  private struct Work: Sendable {
    let body: @Sendable () -> Void
  }

  private let next = Slot<Work>()
  private let called = DispatchSemaphore(value: 0)

  func call(_ body: @escaping @Sendable () -> Void) {
    next.put(Work(body: body))
    called.signal()
  }

  func dismiss() {
    called.signal()
  }

  func work() {
    while true {
      called.wait()
      guard let work = next.put(nil) else { return }
      work.body()
    }
  }
}
