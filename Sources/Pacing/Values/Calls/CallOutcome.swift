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

    /// The operation ran for a newer call that stands for this one, under ``Answering/everyone``.
    public static var shared: Kind { Kind(description: "shared") }

    /// Another call stands for this one, which did not run or was cancelled in favour of a newer
    /// one.
    public static var superseded: Kind { Kind(description: "superseded") }

    /// The tool or the caller's task was cancelled, the tool was finished or disabled, or the
    /// operation's owner was gone or not yet given.
    public static var cancelled: Kind { Kind(description: "cancelled") }
  }

  /// How the call ended.
  public let kind: Kind

  /// What the operation returned; nil if it did not run to completion for this call or the one that
  /// stands for it.
  public let value: Output?

  /// The outcome of a call whose operation returned `value`.
  public static func executed(_ value: Output) -> CallOutcome {
    CallOutcome(kind: .executed, value: value)
  }

  /// The outcome of a call for which a newer one stands, whose operation returned `value`.
  public static func shared(_ value: Output) -> CallOutcome {
    CallOutcome(kind: .shared, value: value)
  }

  /// The outcome for a caller for whose call this one stands.
  var shared: CallOutcome { kind == .executed ? CallOutcome(kind: .shared, value: value) : self }

  /// The outcome of a superseded call.
  public static var superseded: CallOutcome { CallOutcome(kind: .superseded, value: nil) }

  /// The outcome of a call that was withdrawn or not taken.
  public static var cancelled: CallOutcome { CallOutcome(kind: .cancelled, value: nil) }
}

extension CallOutcome: Equatable where Output: Equatable {}
extension CallOutcome: Hashable where Output: Hashable {}
