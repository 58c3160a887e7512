package import Pacing

extension AcquireError {
  /// The cases without their numbers.
  package enum Reason: String, CustomStringConvertible {
    case exceedsBurst = "exceeds burst"
    case deadline
    case queueIsFull = "queue is full"
    case closed

    package var description: String { rawValue }
  }

  package var reason: Reason {
    switch self {
    case .exceedsBurst: .exceedsBurst
    case .deadline: .deadline
    case .queueIsFull: .queueIsFull
    case .closed: .closed
    }
  }

  package var neededWait: Duration? {
    if case .deadline(let neededWait) = self { neededWait } else { nil }
  }
}
