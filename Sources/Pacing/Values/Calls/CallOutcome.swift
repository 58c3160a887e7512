/// How a call of an `AsyncDebouncer` or an `AsyncThrottler` ended; an error is thrown instead.
public enum CallOutcome<Output: Sendable>: Sendable {
  /// The operation ran for this call, and returned this.
  case executed(Output)

  /// Another call stands for this one, which was never run, or cancelled in favour of a newer one.
  case superseded

  /// The tool or the caller's task was cancelled, the tool was finished or not enabled, or the
  /// operation's actor had gone.
  case cancelled

  /// What the operation returned, nil where it did not run to its end for this call.
  public var value: Output? {
    if case .executed(let value) = self { value } else { nil }
  }
}

extension CallOutcome: Equatable where Output: Equatable {}
extension CallOutcome: Hashable where Output: Hashable {}
