import Synchronization

extension Rows {
  /// What the parts of a thread-safe decision take, each alone: nothing that has them takes less.
  static var floors: [Row] {
    let guarded = Guarded()
    let (one, other) = (Guarded(), Guarded())
    return [
      Row("floor: Mutex", count: 20_000) { count in
        for _ in 0..<count { guarded.first.withLock { $0 &+= 1 } }
      },
      Row("floor: clock read, compare and exchange", count: 20_000) { count in
        for _ in 0..<count { consume(guarded.exchange()) }
      },
      Row("floor: clock read, Mutex", count: 20_000) { count in
        for _ in 0..<count { guarded.first.withLock { $0 = Moment.now.nanoseconds } }
      },
      // As a timer's start and stop: each under the timer's lock and the service's.
      Row("floor: 2 clock reads, 4 Mutexes", count: 20_000) { count in
        for _ in 0..<2 * count { one.start(in: guarded) }
      },
      // What a lock takes that two threads want at the same time, beside one each.
      two("floor: clock read, Mutex") { _ in
        guarded.first.withLock { $0 = Moment.now.nanoseconds }
      },
      two("floor: 2 clock reads, 4 Mutexes") { thread in
        for _ in 0..<2 { (thread == 0 ? one : other).start(in: guarded) }
      },
    ]
  }

  private final class Guarded: Sendable {
    let first = Mutex(Int64(0))
    private let level = Atomic(Int64(0))

    /// Takes the time under this lock, and counts under the other's.
    func start(in other: Guarded) {
      first.withLock { value in
        value = Moment.now.nanoseconds
        other.first.withLock { $0 &+= 1 }
      }
    }

    func exchange() -> Bool {
      level.compareExchange(
        expected: level.load(ordering: .relaxed), desired: Moment.now.nanoseconds,
        ordering: .acquiringAndReleasing
      ).exchanged
    }
  }
}
