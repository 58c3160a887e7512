#if canImport(Glibc)
  import Foundation
  import Pacing
  import TestSupport
  import Testing

  @Suite("A lock and a crowd of threads", .alone)
  struct LockedTests {
    private let threads = 8

    /// How often the calling thread has slept so far.
    private static var sleeps: Int {
      var usage = rusage()
      // RUSAGE_THREAD, which the C library's module leaves out.
      getrusage(1, &usage)
      return usage.ru_nvcsw
    }

    /// Starts threads that each take the lock several times; all wait for it at first.
    ///
    /// - Returns: How often they slept.
    private func race(
      for lock: Locked<Int>, _ count: Int, _ body: @escaping @Sendable (inout Int) -> Void
    ) async -> Int {
      let left = CountDown(threads)
      let slept = Counter()
      lock.withLock { _ in
        for _ in 0..<threads {
          Thread {
            let before = Self.sleeps
            for _ in 0..<count { lock.withLock { body(&$0) } }
            slept.add(Self.sleeps - before)
            left.arrive()
          }.start()
        }
        usleep(20_000)
      }
      await left.wait()
      return slept.value
    }

    @Test("threads that have slept for a lock once do not sleep for it again and again")
    func crowd() async {
      let sum = Locked(0)
      let slept = await race(for: sum, 5_000) { $0 += 1 }
      #expect(sum.withLock { $0 } == threads * 5_000)
      #expect(slept < threads * 5_000 / 10)
    }

    @Test("a lock that each thread holds for long is had by all, one at a time")
    func held() async {
      let sum = Locked(0)
      _ = await race(for: sum, 5) { sum in
        let before = sum
        usleep(1000)
        sum = before + 1
      }
      #expect(sum.withLock { $0 } == threads * 5)
    }
  }
#endif
