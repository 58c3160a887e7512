import Pacing
import PacingTesting
import TestSupport

struct Fault: Error, Equatable {}

/// An operator between a source that is fed by hand and a consumer that takes each element at once.
///
/// Reader and consumer run on the test's own thread, in `settle()`, as all does that follows a
/// manual clock.
final class OperatorStage<Input: Sendable, Output: Sendable & Equatable> {
  enum Event: Equatable, Sendable {
    case element(Output, at: Int)
    case end(at: Int)
    case fault(at: Int)
    case timeout(at: Int)
  }

  let clock = ManualClock()
  let source = Source<Input, Fault>()
  private let log = EventRecorder<Event>()
  private let consumer: Task<Void, Never>

  init<Operated: AsyncSequence & Sendable>(
    _ make: (Source<Input, Fault>, ManualClock) -> Operated
  ) where Operated.Element == Output {
    let operated = make(source, clock)
    let (log, clock) = (log, clock)
    consumer = clock.run {
      do {
        for try await output in operated {
          log.record(.element(output, at: clock.now.milliseconds))
        }
        log.record(.end(at: clock.now.milliseconds))
      } catch is TimeoutError {
        log.record(.timeout(at: clock.now.milliseconds))
      } catch {
        log.record(.fault(at: clock.now.milliseconds))
      }
    }
  }

  /// Everything that came out so far.
  var events: [Event] { log.values }

  /// Takes out everything that came out since the last time.
  func takeEvents() -> [Event] { log.takeAll() }

  /// Lets the consumer take what is there.
  func settle() {
    clock.runReady()
  }

  /// The consumer goes.
  func leave() {
    consumer.cancel()
    settle()
  }

  /// Hands an element to the operator, then lets the consumer take what that brings about.
  func send(_ input: Input) {
    source.send(input)
    settle()
  }

  /// Ends the source, with an error or without one.
  func finish(throwing fault: Fault? = nil) {
    source.finish(throwing: fault)
    settle()
  }

  /// Runs the timers that are late, then moves time on, a millisecond at a time.
  func advance(by milliseconds: Int) {
    clock.advance(by: .zero)
    settle()
    for _ in 0..<milliseconds {
      clock.advance(by: .milliseconds(1))
      settle()
    }
  }
}
