import Dispatch
import Pacing
import PacingTesting
import Synchronization

/// A class of the main actor that shows a count and a load.
@MainActor
final class StatusBar {
  private var counts = [Int]()
  private var loads = [Double]()
  private var auditor: Auditor<Int>?
  private var sampler: Sampler<Double>?

  init(clock: any Clock<Duration>) {
    auditor = Auditor(for: .milliseconds(200), clock: clock).handle(on: .main) {
      [weak self] count in self?.counts.append(count)
    }
    sampler = Sampler(every: .seconds(1), clock: clock).handle(on: .main) {
      [weak self] load in self?.loads.append(load)
    }
  }

  static func tryOut() async {
    let clock = ManualClock()
    let bar = StatusBar(clock: clock)
    for count in 1...3 { bar.auditor?.send(count) }
    for load in [0.1, 0.2] { bar.sampler?.send(load) }
    clock.advance(by: .seconds(1))
    await clock.settle()
    verify(bar.counts == [3] && bar.loads == [0.2], "the newest of each is shown")
  }
}

func sampleOnQueues() async {
  let clock = ManualClock()
  let queue = DispatchQueue(label: "client")
  let seen = Mutex([Int]())
  let auditor = Auditor<Int>(for: .seconds(1), clock: clock).handle(on: .queue(queue)) { value in
    seen.withLock { $0.append(value) }
  }
  let sampler = Sampler<Int>(every: .seconds(1), clock: clock) { value in
    seen.withLock { $0.append(value) }
  }
  auditor.send(1)
  verify(auditor.flush(), "there was a value to flush")
  await clock.settle()
  sampler.send(2)
  verify(sampler.cancel() == 2, "cancelling gives the value back")
  sampler.send(3)
  sampler.finish(.atOnce)
  clock.advance(by: .zero)
  verify(seen.withLock { $0 } == [1, 3], "what was delivered")
}

func sampleAsStream() async {
  let auditor = Auditor<Int>(for: .milliseconds(1))
  let ticks = auditor.ticks()
  auditor.send(1)
  auditor.finish()
  for await value in ticks { verify(value == 1, "the value comes at the window's end") }
  let sampler = Sampler<Void>(every: .milliseconds(1))
  let samples = sampler.ticks()
  sampler.send()
  for await _ in samples { break }
}
