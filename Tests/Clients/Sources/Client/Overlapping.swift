import Pacing
import PacingTesting
import Synchronization

/// An actor that uploads, with an async handler of its own.
actor Uploader {
  private var uploaded = [Int]()
  private var tool: Throttler<Int>?

  func open(clock: ManualClock) {
    tool = Throttler(every: .zero, keeping: .reducing(+), clock: clock).handle(
      in: self, overlap: .queue(2)
    ) { uploader, value in
      await uploader.upload(value)
    }
  }

  func send(_ value: Int) { tool?.send(value) }
  func flush() async { await tool?.flushAndWait() }
  private func upload(_ value: Int) async { uploaded.append(value) }
  func sum() -> Int { uploaded.reduce(0, +) }
}

func handleAsynchronously() async {
  let clock = ManualClock()
  let uploader = Uploader()
  await uploader.open(clock: clock)
  for value in 1...4 { await uploader.send(value) }
  await uploader.flush()
  let sum = await uploader.sum()
  verify(sum == 10, "no part of the sum is lost")

  let reasons = Mutex([DropReason]())
  let seen = Mutex([Int]())
  let tool = Debouncer<Int>(
    for: .milliseconds(100), varying: { $0 > 9 ? .milliseconds($0) : nil }, clock: clock
  ).handle(overlap: .dropNew) { value in
    await Task.yield()
    seen.withLock { $0.append(value) }
  }
  tool.onDrop { _, reason in reasons.withLock { $0.append(reason) } }
  tool.send(1)
  tool.send(2, waiting: .milliseconds(10))
  verify(tool.timeRemaining == .milliseconds(10) && tool.pending == 2, "what is pending")
  clock.advance(by: .milliseconds(10))
  await clock.settle()
  tool.finish(.discard)
  tool.send(3)
  clock.runReady()
  let counts = tool.statistics
  verify(reasons.withLock { $0 } == [.finished] && counts.dropped == 1, "why it was dropped")
  verify(counts.delivered == 1 && counts.merged == 1 && counts.received == 3, "all are counted")
  verify(seen.withLock { $0 } == [2], "what was seen")
}
