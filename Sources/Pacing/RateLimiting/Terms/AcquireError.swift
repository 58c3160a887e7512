/// Why a limit refused a caller that was ready to wait.
///
/// A refusal spends nothing. It comes at the call if the deadline cannot be met even if all waiters
/// ahead are served and nothing else changes, and otherwise at the deadline.
///
/// ```swift
/// catch let error as AcquireError where error.reason == .deadline {
///   print("try again in \(error.neededWait!)")
/// }
/// ```
public struct AcquireError: Error, Hashable, Sendable {
  /// The kinds of refusal, without their numbers.
  ///
  /// New reasons may be added: a `switch` over them needs a `default`.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The reason's name, for a log.
    public let description: String

    /// The cost exceeds the burst, or the count of a window.
    public static var exceedsBurst: Reason { Reason(description: "exceeds burst") }

    /// The tokens arrive after the deadline.
    public static var deadline: Reason { Reason(description: "deadline") }

    /// The queue is at its bound.
    public static var queueIsFull: Reason { Reason(description: "queue is full") }

    /// The limit was closed.
    public static var closed: Reason { Reason(description: "closed") }
  }

  enum Kind: Hashable {
    case exceedsBurst(cost: Int, burst: Int)
    case deadline(neededWait: Duration?)
    case queueIsFull(maximumWaiters: Int)
    case closed
  }

  let kind: Kind

  /// The cost exceeds the burst or the window's count, the most that the limit ever grants; no wait
  /// is long enough.
  public static func exceedsBurst(cost: Int, burst: Int) -> AcquireError {
    AcquireError(kind: .exceedsBurst(cost: cost, burst: burst))
  }

  /// The tokens arrive too late: not before `neededWait` after the call; nil if no time can be
  /// named, as for a permit.
  public static func deadline(neededWait: Duration?) -> AcquireError {
    AcquireError(kind: .deadline(neededWait: neededWait))
  }

  /// The queue is at its bound of `maximumWaiters`.
  public static func queueIsFull(maximumWaiters: Int) -> AcquireError {
    AcquireError(kind: .queueIsFull(maximumWaiters: maximumWaiters))
  }

  /// The limit was closed.
  public static var closed: AcquireError { AcquireError(kind: .closed) }

  /// The kind of refusal.
  public var reason: Reason {
    switch kind {
    case .exceedsBurst: .exceedsBurst
    case .deadline: .deadline
    case .queueIsFull: .queueIsFull
    case .closed: .closed
    }
  }

  /// The wait, from the call, before which the tokens would not have arrived; nil for a permit, and
  /// unless the reason is `deadline`.
  public var neededWait: Duration? {
    if case .deadline(let neededWait) = kind { neededWait } else { nil }
  }
}

extension AcquireError: CustomStringConvertible {
  /// A sentence for a log.
  public var description: String {
    switch kind {
    case .exceedsBurst(let cost, let burst):
      "a cost of \(cost) can never be met by a burst of \(burst)"
    case .deadline(nil):
      "nothing was available before the deadline"
    case .deadline(let neededWait?):
      "the tokens come after \(neededWait) at the earliest, which is past the deadline"
    case .queueIsFull(let maximumWaiters):
      "the queue of waiting callers is full: its limit is \(maximumWaiters)"
    case .closed:
      "the limit was closed"
    }
  }
}
