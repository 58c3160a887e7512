import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("DispatchTimer: owners and links")
struct OwnerTests {
  let clock = ManualClock()
  let indices = Recorder<Int>()

  /// Holds its timer, as an owner does.
  final class Owner: Sendable {
    let indices: Recorder<Int>
    let timer = Slot<DispatchTimer>()

    init(_ indices: Recorder<Int>) { self.indices = indices }

    func note(_ tick: Tick) { indices.append(tick.index) }
  }

  @Test("works for its owner, and goes with it where that holds the timer")
  func owned() {
    weak var owner: Owner?
    do {
      let strong = Owner(indices)
      owner = strong
      strong.timer.put(
        .scheduled(.every(.milliseconds(10)), owner: strong, clock: clock) { $0.note($1) })
      clock.advance(by: .milliseconds(20))
    }
    #expect(owner == nil && clock.pendingCount == 0)
    #expect(indices.all == [0, 1])
  }

  @Test("cancels itself at the first tick that finds its owner gone")
  func orphaned() {
    var owner: Owner? = Owner(indices)
    let timer = DispatchTimer(.every(.milliseconds(10)), owner: owner!, clock: clock) {
      $0.note($1)
    }
    timer.start()
    clock.advance(by: .milliseconds(10))
    owner = nil
    clock.advance(by: .milliseconds(10))
    #expect(!timer.isValid && clock.pendingCount == 0)
    #expect(indices.all == [0])
  }

  @Test("gives the handler its timer, which may end there and is not kept alive")
  func linked() {
    weak var dropped: DispatchTimer?
    do {
      let timer = DispatchTimer(.every(.milliseconds(10)), clock: clock) { [indices] timer, tick in
        indices.append(tick.index)
        if tick.index == 2 { timer.cancel() }
      }
      dropped = timer
      timer.start()
      clock.advance(by: .milliseconds(50))
      #expect(!timer.isValid)
    }
    #expect(indices.all == [0, 1, 2])
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
    let timers: [DispatchTimer] = [
      .scheduled(after: .seconds(1), on: .main, clock: clock) { screen.seconds.append(-1) },
      .scheduled(every: .seconds(1), count: 1, on: .main, clock: clock) {
        screen.seconds.append($0.index)
      },
      .scheduled(.every(.seconds(1), count: 1), on: .main, clock: clock) {
        screen.seconds.append($0.index + 1)
      },
      .scheduled(.every(.seconds(1)), on: .main, clock: clock) { timer, tick in
        screen.seconds.append(tick.index + 2)
        timer.cancel()
      },
      .scheduled(.every(.seconds(1), count: 1), owner: screen, on: .main, clock: clock) {
        screen, tick in screen.seconds.append(tick.index + 3)
      },
    ]
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(screen.seconds == [-1, 0, 1, 2, 3])
    #expect(timers.allSatisfy { !$0.isValid })
  }

  @Test("every form runs on a queue of one's own")
  func onQueue() async {
    let queue = DispatchQueue(label: "own")
    let owner = Owner(indices)
    let check = { @Sendable in dispatchPrecondition(condition: .onQueue(queue)) }
    let timers: [DispatchTimer] = [
      .scheduled(after: .seconds(1), on: .queue(queue), clock: clock) { check() },
      .scheduled(.once(after: .seconds(1)), on: .queue(queue), clock: clock) { _ in check() },
      .scheduled(.once(after: .seconds(1)), on: .queue(queue), clock: clock) { _, _ in check() },
      .scheduled(.once(after: .seconds(1)), owner: owner, on: .queue(queue), clock: clock) {
        check()
        $0.note($1)
      },
    ]
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(indices.all == [0] && timers.allSatisfy { !$0.isValid })
  }
}
