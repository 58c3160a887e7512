/// Requests decided under a lock, to be told after it is released: by one thread at a time, in the
/// order of the decisions.
package struct DecidedRequests<Request> {
  /// A request and its outcome.
  package struct Decided {
    package let request: Request
    package let outcome: Turn.Outcome
  }

  private var decided = [Decided]()
  /// Whether a thread is telling requests; it looks again before it stops.
  private var isTelling = false

  package init() {}

  mutating func append(_ request: Request, _ outcome: Turn.Outcome) {
    decided.append(Decided(request: request, outcome: outcome))
  }

  /// Whether the caller must call `tell` after releasing the lock.
  @inline(__always)
  mutating func mustTell() -> Bool {
    guard !decided.isEmpty, !isTelling else { return false }
    isTelling = true
    return true
  }

  /// All decided requests, which the caller tells after releasing the lock.
  package mutating func takeAll() -> [Decided] {
    defer { decided = [] }
    isTelling = !decided.isEmpty
    return decided
  }
}

extension DecidedRequests.Decided: Sendable where Request: Sendable {}

extension DecidedRequests where Request == Turn.Request {
  /// Tells all decided requests, without holding the lock.
  ///
  /// - Parameter access: Runs its argument on this value, under the lock.
  static func tell(_ access: ((inout DecidedRequests) -> [Decided]) -> [Decided]) {
    while true {
      let decided = access { $0.takeAll() }
      guard !decided.isEmpty else { return }
      for decided in decided { decided.request(decided.outcome) }
    }
  }
}
