import Dispatch
import Pacing
import Synchronization

/// A data race on purpose: proof that Thread Sanitizer, which finds none in the library's tests,
/// would have found one.
///
/// Two timers count on one tally. Without an argument their handlers run on the shared queue, at
/// the same time, each under a lock of its own: that guards nothing. With `guarded` they run on one
/// serial queue, and the same program is right.
@main
struct SeededRace {
  static func main() {
    let isGuarded = CommandLine.arguments.dropFirst().first == "guarded"
    let place = isGuarded ? Place.queue(DispatchQueue(label: "tally")) : .shared
    let tally = Tally()
    let meeting = Meeting(of: isGuarded ? 1 : 2)
    let timers = (0..<2).map { _ in
      let lock = Lock()
      let timer = DispatchTimer(.once(after: .milliseconds(10)))
      timer.handle(on: place) { _ in
        meeting.arrive()
        for _ in 0..<10_000 { lock.mutex.withLock { _ in tally.count += 1 } }
        meeting.leave()
      }
      timer.start()
      return timer
    }
    meeting.waitForTheEnd(of: timers.count)
    withExtendedLifetime(timers) {}
    print("counted to \(tally.count)")
  }
}

/// A lock that only one handler knows.
private final class Lock: Sendable {
  let mutex = Mutex(())
}

/// The memory that is raced on.
private final class Tally: @unchecked Sendable {
  var count = 0
}

/// Where the handlers wait for each other, so that they do run at the same time.
///
/// All its operations are relaxed: they order nothing, and so they hide no race.
private final class Meeting: Sendable {
  private let expected: Int
  private let arrived = Atomic(0)
  private let ended = DispatchSemaphore(value: 0)

  init(of expected: Int) {
    self.expected = expected
  }

  func arrive() {
    arrived.add(1, ordering: .relaxed)
    while arrived.load(ordering: .relaxed) < expected {}
  }

  func leave() {
    ended.signal()
  }

  func waitForTheEnd(of count: Int) {
    for _ in 0..<count { ended.wait() }
  }
}
