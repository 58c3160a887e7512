import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("DispatchTimer: owners and links")
struct OwnerTests {
  let clock = ManualClock()
  let indices = EventRecorder<Int>()

  /// Holds its timer, as an owner does.
  final class Owner: Sendable {
    let indices: EventRecorder<Int>
    let timer = Slot<DispatchTimer>()

    init(_ indices: EventRecorder<Int>) { self.indices = indices }

    func note(_ tick: Tick) { indices.record(tick.index) }
  }

  @Test("works for its owner, and goes with it where that holds the timer")
  func owned() {
    weak var owner: Owner?
    do {
      let strong = Owner(indices)
      owner = strong
      let timer = DispatchTimer(.every(.milliseconds(10)), clock: clock)
      strong.timer.put(timer.handle(with: strong) { $0.note($1) }.started())
      clock.advance(by: .milliseconds(20))
    }
    #expect(owner == nil && clock.pendingCount == 0)
    #expect(indices.values == [0, 1])
  }

  @Test("cancels itself at the first tick that finds its owner gone")
  func orphaned() {
    var owner: Owner? = Owner(indices)
    let timer = DispatchTimer(.every(.milliseconds(10)), clock: clock).handle(with: owner!) {
      $0.note($1)
    }.started()
    clock.advance(by: .milliseconds(10))
    owner = nil
    clock.advance(by: .milliseconds(10))
    #expect(!timer.isValid && clock.pendingCount == 0)
    #expect(indices.values == [0])
  }

  @Test("gives the handler its timer, which may end there and is not kept alive")
  func linked() {
    weak var dropped: DispatchTimer?
    do {
      let timer = DispatchTimer(.every(.milliseconds(10)), clock: clock)
      timer.handle(with: timer) { [indices] timer, tick in
        indices.record(tick.index)
        if tick.index == 2 { timer.cancel() }
      }
      dropped = timer
      timer.start()
      clock.advance(by: .milliseconds(50))
      #expect(!timer.isValid)
    }
    #expect(indices.values == [0, 1, 2])
    #expect(dropped == nil)
  }

  @MainActor
  final class Screen {
    var seconds = [Int]()
    var timer: DispatchTimer?
  }

  @Test("every form runs on the main actor by one word")
  @MainActor
  func onMain() async {
    let screen = Screen()
    func once() -> DispatchTimer { DispatchTimer(.once(after: .seconds(1)), clock: clock) }
    let timers = [
      once().handle(on: .main) { _ in screen.seconds.append(-1) },
      once().handle(on: .main) { tick in
        await Task.yield()
        screen.seconds.append(tick.index)
      },
      once().handle(with: screen, on: .main) { screen, tick in
        screen.seconds.append(tick.index + 1)
      },
      once().handle(with: screen, on: .main) { screen, tick in
        await Task.yield()
        screen.seconds.append(tick.index + 2)
      },
    ]
    for timer in timers { timer.start() }
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(screen.seconds.sorted() == [-1, 0, 1, 2])
    #expect(timers.allSatisfy { !$0.isValid })
  }

  /// Counts its own seconds, as an actor does.
  actor Meter {
    private(set) var indices = [Int]()
    private var timer: DispatchTimer?

    func start(_ clock: ManualClock) -> DispatchTimer {
      let timer = DispatchTimer(.every(.seconds(1)), clock: clock).handle(in: self) { meter, tick in
        await Task.yield()
        meter.indices.append(tick.index)
      }
      timer.start()
      return timer
    }
  }

  @Test("belongs to an actor by on: self, and ends with it", arguments: [false, true])
  func onActor(isDropped: Bool) async {
    var meter: Meter? = Meter()
    let timer = await meter!.start(clock)
    for _ in 0..<2 {
      clock.advance(by: .seconds(1))
      await clock.settle()
    }
    #expect(await meter?.indices == [0, 1] && timer.isValid)
    if isDropped { meter = nil }
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(timer.isValid == !isDropped && clock.pendingCount == (isDropped ? 0 : 1))
    withExtendedLifetime(meter) {}
  }

  @Test("has an async handler, which runs one tick at a time and misses others as the policy says")
  func asyncHandler() async {
    let gate = Gate()
    let timer = DispatchTimer(.every(.seconds(1), missed: .coalesce), clock: clock).handle {
      [indices] tick in
      indices.record(tick.index)
      if tick.index == 0 { await gate.pass() }
    }.started()
    clock.advance(by: .seconds(1))
    await gate.reached()
    clock.advance(by: .milliseconds(3500))
    gate.open()
    await clock.settle()
    #expect(indices.values == [0, 3])
    #expect(await timer.cancelAndWait())
  }

  /// Holds up a task until opened.
  final class Gate: Sendable {
    private let arrived = CountDown(1)
    private let opened = CountDown(1)
    func pass() async {
      arrived.arrive()
      await opened.wait()
    }
    func reached() async { await arrived.wait() }
    func open() { opened.arrive() }
  }

  @Test("every form runs on a queue of one's own")
  func onQueue() async {
    let queue = DispatchQueue(label: "own")
    let owner = Owner(indices)
    let check = { @Sendable in dispatchPrecondition(condition: .onQueue(queue)) }
    func once() -> DispatchTimer { DispatchTimer(.once(after: .seconds(1)), clock: clock) }
    let timers = [
      once().handle(on: .queue(queue)) { _ in check() },
      once().handle(with: owner, on: .queue(queue)) {
        check()
        $0.note($1)
      },
    ]
    for timer in timers { timer.start() }
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(indices.values == [0] && timers.allSatisfy { !$0.isValid })
  }
}
