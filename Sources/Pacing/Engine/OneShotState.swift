/// The decisions of a wait that ends once, a pure value: its two calls may come in either order,
/// and it says what each of them owes.
package enum OneShotState<Outcome, Waiter> {
  /// What a `resolve` owes.
  package enum Resolution {
    /// The outcome counts. The caller resumes the waiter, if there is one already.
    case first(Waiter?)
    /// An earlier outcome counts.
    case late
  }

  /// Neither the outcome nor the waiter has come.
  case empty
  /// The waiter has suspended.
  case waiting(Waiter)
  /// The outcome is known; a waiter that suspended for it has been handed out.
  case resolved(Outcome)

  /// Keeps the waiter until the outcome comes, or returns the outcome if it is known.
  ///
  /// - Precondition: No other waiter is suspended.
  package mutating func wait(_ waiter: Waiter) -> Outcome? {
    if case .resolved(let outcome) = self { return outcome }
    guard case .empty = self else { preconditionFailure("a one-shot has one waiter") }
    self = .waiting(waiter)
    return nil
  }

  /// Sets the outcome unless there is one.
  package mutating func resolve(_ outcome: Outcome) -> Resolution {
    defer { if !isResolved { self = .resolved(outcome) } }
    switch self {
    case .empty: return .first(nil)
    case .waiting(let waiter): return .first(waiter)
    case .resolved: return .late
    }
  }

  package var isResolved: Bool {
    if case .resolved = self { true } else { false }
  }
}

extension OneShotState: Sendable where Outcome: Sendable, Waiter: Sendable {}
