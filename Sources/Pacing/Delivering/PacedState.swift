/// The pure part of a tool: what it holds, when it is due, and what it decides.
///
/// It has no clock, lock or user closure, so that its rules can be tested step by step.
package protocol PacedState: Sendable {
  associatedtype Output: Sendable

  /// When `due(at:)` must be called; it may lie in the past, and is `distantFuture` for never.
  var deadline: PacingInstant { get }

  /// Decides what is delivered now, at or after the deadline: returns an output, or moves the
  /// deadline beyond `now`.
  mutating func due(at now: PacingInstant) -> Output?

  /// Passes over what is due, instead of having it decided and dropped; false if the state does not
  /// count what it passes over.
  mutating func passOver(at now: PacingInstant) -> Bool

  /// Records that a decided output begins to be delivered.
  mutating func begin(_ output: Output)

  mutating func ended(_ output: Output)

  /// The number of the next task to wait for deliveries; flushed values record it.
  var nextWaiter: Int { get set }

  /// What the last output of `due` recorded when it was flushed; `Int.max` if it was not.
  var flushOfDue: Int { get }

  /// The least number recorded by a pending value; `Int.max` if none was flushed.
  var earliestFlush: Int { get }

  /// Drops what is pending and returns it; settings and windows remain.
  mutating func cancel() -> Output?

  /// As `cancel()`, for a state that holds several outputs: returns all of them, oldest first.
  mutating func cancelAll() -> [Output]

  /// Removes an output that there is no room for; nil if there is none.
  mutating func takeExcess() -> Output?

  /// Records that a pending or decided output is not delivered.
  mutating func dropped(_ output: Output, _ reason: DropReason)

  /// Records that a handler receives the outputs from now on.
  mutating func handlerWasAttached()

  /// Whether nothing will be decided again, so that the streams end.
  var isFinished: Bool { get }

  /// Whether pending outputs are still delivered after the tool's last reference is gone.
  var outlivesItsTool: Bool { get }

  static var mailboxRule: MailboxRule<Output> { get }

  /// How the handler's runs overlap; nil if that is for the handler to say.
  static var overlap: Overlap? { get }
}

extension PacedState {
  package var nextWaiter: Int {
    get { 0 }
    set {}
  }
  package var flushOfDue: Int { .max }
  package var earliestFlush: Int { .max }
  package mutating func passOver(at now: PacingInstant) -> Bool { false }
  package mutating func begin(_ output: Output) {}
  package mutating func ended(_ output: Output) {}
  package mutating func handlerWasAttached() {}
  package var outlivesItsTool: Bool { false }
  package mutating func dropped(_ output: Output, _ reason: DropReason) {}
  package mutating func cancelAll() -> [Output] { cancel().map { [$0] } ?? [] }
  package mutating func takeExcess() -> Output? { nil }
  package static var mailboxRule: MailboxRule<Output> { .newest }
  package static var overlap: Overlap? { nil }
}
