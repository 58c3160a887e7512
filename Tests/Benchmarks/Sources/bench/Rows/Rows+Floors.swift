import Synchronization

extension Rows {
  /// What the parts of a thread-safe decision take, each alone: nothing that has them takes less.
  static var floors: [Row] {
    let guarded = Guarded()
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
        for _ in 0..<2 * count {
          guarded.first.withLock { value in
            value = Moment.now.nanoseconds
            guarded.second.withLock { $0 &+= 1 }
          }
        }
      },
    ]
  }

  private final class Guarded: Sendable {
    let first = Mutex(Int64(0))
    let second = Mutex(Int64(0))
    private let level = Atomic(Int64(0))

    func exchange() -> Bool {
      level.compareExchange(
        expected: level.load(ordering: .relaxed), desired: Moment.now.nanoseconds,
        ordering: .acquiringAndReleasing
      ).exchanged
    }
  }
}
