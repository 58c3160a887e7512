import Foundation
import Pacing
import Synchronization
import TestSupport
import Testing

@Suite("Shared workers", .alone)
struct SharedWorkersTests {
  /// Handlers that block until another tool's handler has run: they end only if it is not blocked.
  @Test("handlers that block hold up no other tool")
  func blockedHandlers() async {
    let gate = DispatchSemaphore(value: 0)
    let count = 40
    let blocked = (0..<count).map { _ in DispatchTimer.scheduled(after: .zero) { gate.wait() } }
    let opened = AsyncStream<Void>.makeStream()
    let opener = DispatchTimer.scheduled(after: .milliseconds(5)) {
      for _ in 0..<count { gate.signal() }
      opened.continuation.finish()
    }
    for await _ in opened.stream {}
    withExtendedLifetime((blocked, opener)) {}
  }

  /// Each handler ends when the next one has.
  @Test("handlers that wait for those of later timers hold up none of them")
  func chains() async {
    let gates = (0...20).map { _ in DispatchSemaphore(value: 0) }
    let ended = AsyncStream<Int>.makeStream()
    for _ in 0..<20 {
      let timers = gates.indices.dropLast().map { index in
        DispatchTimer.scheduled(after: .milliseconds(index)) {
          gates[index + 1].wait()
          ended.continuation.yield(index)
          gates[index].signal()
        }
      }
      let opener = DispatchTimer.scheduled(after: .milliseconds(25)) { gates.last!.signal() }
      var order = [Int]()
      for await index in ended.stream {
        order.append(index)
        if order.count == timers.count { break }
      }
      #expect(order == timers.indices.reversed())
      withExtendedLifetime((timers, opener)) {}
    }
  }

  @Test("every handler runs once, however many come at once")
  func manyHandlers() async {
    let count = 5_000
    let ran = AsyncStream<Int>.makeStream()
    let timers = (0..<count).map { index in
      DispatchTimer.scheduled(after: .microseconds(index % 7 * 100)) {
        ran.continuation.yield(index)
      }
    }
    var seen = Set<Int>()
    for await index in ran.stream {
      #expect(seen.insert(index).inserted)
      if seen.count == count { break }
    }
    withExtendedLifetime(timers) {}
  }

  /// All keys but one block until that key's handler has run.
  @Test("handlers of keys that block hold up no other key")
  func blockedKeys() async {
    let gate = DispatchSemaphore(value: 0)
    let count = 40
    let ended = AsyncStream<Int>.makeStream()
    let tool = KeyedDebouncer<Int, Int>(for: .seconds(1)) { key, _ in
      if key < count {
        gate.wait()
      } else {
        for _ in 0..<count { gate.signal() }
      }
      ended.continuation.yield(key)
    }
    for key in 0...count { tool.send(0, for: key) }
    tool.flush()
    var seen = Set<Int>()
    for await key in ended.stream {
      #expect(seen.insert(key).inserted)
      if seen.count == count + 1 { break }
    }
  }

  @Test("a thread that the system refuses is counted, and tried again until the work has run")
  func refusedThreads() async {
    let tries = Counter()
    let ran = CountDown(2)
    let workers = SharedWorkers(service: DispatchClock().service, width: 1) { body in
      guard tries.add() > 3 else { return false }
      Thread { body() }.start()
      return true
    }
    for _ in 0..<2 { workers.perform(WorkItem { ran.arrive() }) }
    await ran.wait()
    #expect(workers.counts.refused == 3 && workers.counts.waiting == 0)
  }
}
