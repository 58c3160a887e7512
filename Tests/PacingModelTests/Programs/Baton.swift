import Foundation
import Pacing
import TestSupport

/// Lets one of several threads run at a time, so that what they do together has one order.
///
/// The thread with the baton takes the steps. A step that blocks passes the baton on, to a spare
/// thread or a new one, and goes on when a later step resumes it.
final class Baton: Sendable {
  /// A thread that waits for the baton.
  final class Sleeper: Sendable {
    fileprivate let bell = DispatchSemaphore(value: 0)
  }

  /// What follows a step.
  enum Step {
    case again
    case over
    case resume(Sleeper)
  }

  private struct State {
    var step: (@Sendable () -> Step)?
    var spare = [Sleeper]()
  }

  private let state = Locked(State())
  private let end = DispatchSemaphore(value: 0)

  /// Takes steps until one is the last, on this thread and on others.
  ///
  /// - Precondition: No step is blocked then.
  func run(_ step: @escaping @Sendable () -> Step) {
    state.withLock { $0.step = step }
    takeSteps()
    end.wait()
  }

  /// Passes the baton on, and returns when a step has resumed the sleeper.
  func block(_ sleeper: Sleeper) {
    if let next = state.withLock({ $0.spare.popLast() }) {
      next.bell.signal()
    } else {
      Thread { self.takeSteps() }.start()
    }
    sleeper.bell.wait()
  }

  private func takeSteps() {
    while let step = state.withLock({ $0.step }) {
      switch step() {
      case .again: break
      case .over:
        let spare = state.withLock { state in
          state.step = nil
          return state.spare
        }
        for sleeper in spare { sleeper.bell.signal() }
        end.signal()
      case .resume(let sleeper):
        let own = Sleeper()
        state.withLock { $0.spare.append(own) }
        sleeper.bell.signal()
        own.bell.wait()
      }
    }
  }
}
