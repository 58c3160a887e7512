/// How a call of an ``AsyncDebouncer`` or an ``AsyncThrottler`` ended; an error is thrown instead.
public enum CallOutcome<Output: Sendable>: Sendable {
  /// The operation ran for this call, and returned a value.
  case executed(Output)

  /// Another call ran instead of this one, or cancelled it.
  case superseded

  /// The tool or the caller's task was cancelled, or the tool was finished.
  case cancelled

  /// What the operation returned; nil if it did not run to completion for this call.
  public var value: Output? { if case .executed(let value) = self { value } else { nil } }
}

extension CallOutcome: Equatable where Output: Equatable {}
extension CallOutcome: Hashable where Output: Hashable {}
