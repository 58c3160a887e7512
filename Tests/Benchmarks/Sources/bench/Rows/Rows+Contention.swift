import Dispatch
import Pacing
import Synchronization

extension Rows {
  /// What an operation takes where two threads ask for it without a pause, and what a hundred
  /// thousand tasks take that wait for their turn.
  static var contention: [Row] {
    let bucket = TokenBucket(rate: .perSecond(1_000_000_000), burst: 1_000_000_000)
    let debouncer = Debouncer<Int>(for: .seconds(86_400)) { consume($0) }
    let timers = (0..<2).map { _ in
      let timer = DispatchTimer(.every(.seconds(86_400))) { _ in }
      timer.start()
      timer.suspend()
      return timer
    }
    return [
      two("TokenBucket.tryAcquire allow") { _ in consume(bucket.tryAcquire()) },
      two("Debouncer.send") { debouncer.send($0) },
      // Each its own timer: the shared part is the service's.
      two("DispatchTimer resume + suspend") {
        timers[$0].resume()
        timers[$0].suspend()
      },
      waiters(burst: 1), waiters(burst: 1_000), suspended,
    ]
  }

  /// What one operation takes where two threads do it, each as often as the other.
  static func two(_ name: String, _ operation: @escaping @Sendable (Int) -> Void) -> Row {
    Row("\(name), 2 threads", unit: "ns", count: 20_000, turns: .fastestOfMany) { count in
      let start = Moment.now
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for _ in 0..<count { operation(thread) }
      }
      return start.elapsed / Double(2 * count)
    }
  }

  /// Tasks that wait, one second in all, for the tokens of a bucket.
  private static func waiters(burst: Int) -> Row {
    let parts = [("processors", "ns CPU each"), ("lateness of the last", "ms")]
    return Row(
      "100k waiting acquires, burst \(burst)", parts: parts, count: 100_000, turns: .few
    ) { count in
      let bucket = TokenBucket(rate: .perSecond(100_000), burst: burst, initial: 0)
      let gate = Gate(count)
      let (processors, start) = (Moment.processorTime, Moment.now)
      for _ in 0..<count {
        Task {
          try await bucket.acquire()
          gate.arrive()
        }
      }
      await gate.wait()
      let lateness = start.elapsed / 1_000_000 - Double(count) / 100
      return [Moment.processorTime.since(processors) / Double(count), lateness]
    }
  }

  /// What such tasks take that are only suspended, and resumed a thousand at a time.
  private static var suspended: Row {
    let name = "floor: 100k suspended tasks, processors"
    return Row(name, unit: "ns CPU each", count: 100_000, turns: .few) { count in
      let (line, gate) = (Line(), Gate(count))
      let start = Moment.processorTime
      let timer = DispatchTimer.scheduled(every: .milliseconds(10)) { _ in line.resume(1_000) }
      for _ in 0..<count {
        Task {
          await line.wait()
          gate.arrive()
        }
      }
      await gate.wait()
      timer.cancel()
      return Moment.processorTime.since(start) / Double(count)
    }
  }
}

/// Suspended tasks, and nothing else.
private final class Line: Sendable {
  private let tasks = Mutex([UnsafeContinuation<Void, Never>]())

  func wait() async {
    await withUnsafeContinuation { task in tasks.withLock { $0.append(task) } }
  }

  func resume(_ count: Int) {
    let some = tasks.withLock { tasks in
      defer { tasks.removeLast(min(count, tasks.count)) }
      return tasks.suffix(count)
    }
    for task in some { task.resume() }
  }
}
