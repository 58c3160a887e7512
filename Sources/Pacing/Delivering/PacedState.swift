/// The pure part of a tool: what it holds, when it wants to be asked, and what it then decides.
///
/// A state knows no clock, no lock and no closure, so that its rules can be tested step by step.
/// `Pacer` is the shell around every one of them.
package protocol PacedState: Sendable {
  /// What the tool delivers.
  associatedtype Output: Sendable

  /// When `due(at:)` is to be called, `distantFuture` for not at all.
  ///
  /// It may lie in the past: while a delivery is on its way, what falls due is held.
  var deadline: PacingInstant { get }

  /// Decides what is delivered now; called at or after the deadline.
  ///
  /// Either it returns an output, or it moves the deadline beyond `now`.
  mutating func due(at now: PacingInstant) -> Output?

  /// Notes that what was decided begins to be delivered.
  mutating func begin(_ output: Output)

  /// Notes the end of a delivery that began.
  mutating func ended(_ output: Output)

  /// The number of the next task that waits for deliveries: what is flushed notes it.
  var nextWaiter: Int { get set }

  /// The number that the last output of `due` noted when it was flushed; `Int.max` if it was not.
  var flushOfDue: Int { get }

  /// The least number that anything pending noted when it was flushed; `Int.max` if nothing was.
  var earliestFlush: Int { get }

  /// Drops what is pending, and returns it. The tool's settings and windows stay.
  mutating func cancel() -> Output?

  /// The parts into which everything that is pending is divided, if that may be very much.
  ///
  /// They are gone through from the last one: what moves between two calls moves to earlier parts.
  var parts: Range<Int> { get }

  /// Drops everything that is pending in one of the parts, the oldest first.
  mutating func cancelAll(part: Int) -> [Output]

  /// Notes that what was pending or decided is not delivered.
  mutating func dropped(_ output: Output, _ reason: DropReason)

  /// Notes that a handler takes the outputs from now on.
  mutating func handlerWasSet()

  /// Whether nothing will ever be decided again: the streams end.
  var isFinished: Bool { get }

  /// Whether what is pending is still to be delivered when nobody holds the tool any more.
  var outlivesItsTool: Bool { get }

  /// Whether one output can stand for two; otherwise a mailbox keeps them all.
  static var isMergeable: Bool { get }

  /// What stands for two outputs in a mailbox that holds one.
  static func merge(_ older: Output, into newer: Output) -> Output

  /// What tells apart outputs that cannot stand for each other; nil where all of them can.
  static var key: (@Sendable (Output) -> AnyHashable)? { get }

  /// What an output is as the first one of a subscription that began after others were decided.
  static func first(_ output: Output) -> Output
}

extension PacedState {
  package var nextWaiter: Int {
    get { 0 }
    set {}
  }
  package var flushOfDue: Int { .max }
  package var earliestFlush: Int { .max }
  package mutating func begin(_ output: Output) {}
  package mutating func ended(_ output: Output) {}
  package mutating func handlerWasSet() {}
  package mutating func dropped(_ output: Output, _ reason: DropReason) {}
  package var parts: Range<Int> { 0..<1 }
  package mutating func cancelAll(part: Int) -> [Output] { cancel().map { [$0] } ?? [] }
  package mutating func cancelAll() -> [Output] {
    parts.reversed().flatMap { cancelAll(part: $0) }
  }
  package static var isMergeable: Bool { true }
  package static func merge(_ older: Output, into newer: Output) -> Output { newer }
  package static var key: (@Sendable (Output) -> AnyHashable)? { nil }
  package static func first(_ output: Output) -> Output { output }
}
