import Pacing
import PacingTesting
import TestSupport

/// An operator between a manually fed source and a consumer that takes each element immediately.
///
/// Reader and consumer run on the test's thread, in `settle()`, like all tasks that use a manual
/// clock.
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

  /// All events so far.
  var events: [Event] { log.values }

  /// Removes and returns the events since the last call.
  func takeEvents() -> [Event] { log.takeAll() }

  /// Lets the consumer take the available elements.
  func settle() {
    clock.runReady()
  }

  /// Cancels the consumer.
  func leave() {
    consumer.cancel()
    settle()
  }

  /// Sends an element to the operator, then lets the consumer take the results.
  func send(_ input: Input) {
    source.send(input)
    settle()
  }

  /// Ends the source, with or without an error.
  func finish(throwing fault: Fault? = nil) {
    source.finish(throwing: fault)
    settle()
  }

  /// Runs late timers, then advances time, a millisecond at a time.
  func advance(by milliseconds: Int) {
    clock.advance(by: .zero)
    settle()
    for _ in 0..<milliseconds {
      clock.advance(by: .milliseconds(1))
      settle()
    }
  }
}
