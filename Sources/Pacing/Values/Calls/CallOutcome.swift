/// How a call of an ``AsyncDebouncer`` or an ``AsyncThrottler`` ended; an error is thrown instead.
///
/// ```swift
/// if let hits = try await lookup.call("swift").value { show(hits) }
/// ```
///
/// To find out why there is no value, read ``kind``.
public struct CallOutcome<Output: Sendable>: Sendable {
  /// The ways in which a call ends.
  ///
  /// New kinds may be added, so a `switch` needs a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind's name, for a log.
    public let description: String

    /// The operation ran for this call.
    public static var executed: Kind { Kind(description: "executed") }

    /// Another call ran instead of this one, or cancelled it.
    public static var superseded: Kind { Kind(description: "superseded") }

    /// The tool or the caller's task was cancelled, or the tool was finished.
    public static var cancelled: Kind { Kind(description: "cancelled") }
  }

  /// How the call ended.
  public let kind: Kind

  /// What the operation returned; nil if it did not run to completion for this call.
  public let value: Output?

  /// The outcome of a call whose operation returned `value`.
  public static func executed(_ value: Output) -> CallOutcome {
    CallOutcome(kind: .executed, value: value)
  }

  /// The outcome of a superseded call.
  public static var superseded: CallOutcome { CallOutcome(kind: .superseded, value: nil) }

  /// The outcome of a call that was withdrawn or not taken.
  public static var cancelled: CallOutcome { CallOutcome(kind: .cancelled, value: nil) }
}

extension CallOutcome: Equatable where Output: Equatable {}
extension CallOutcome: Hashable where Output: Hashable {}
