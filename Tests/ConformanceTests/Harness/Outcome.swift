import Pacing

/// What happened when a scenario was played.
struct Outcome: Sendable {
  /// The deliveries of a stream tool, or the answers of another one.
  var rows = [Row]()

  /// The elements of the tool's stream, if observed in addition to the handler.
  var streamed: [Row]?

  /// When and how the output ended.
  var end: Row?

  /// The answers of `pending`.
  var queries = [Row]()

  /// The answers of `cancel` and `flush`.
  var returns = [Row]()

  /// One answer, and its time or number.
  struct Row: Hashable, Sendable {
    /// A span for a time, a count for an attempt.
    let key: Answer
    let answer: Answer
    /// The index of the step that asked; nil if none did.
    var step: Int?
  }
}

extension Outcome.Row {
  init(at time: Nanoseconds, _ answer: Answer, step: Int? = nil) {
    self.init(key: .span(time), answer: answer, step: step)
  }

  init(_ number: Int, _ answer: Answer, step: Int? = nil) {
    self.init(key: .count(number), answer: answer, step: step)
  }

  func meets(_ expected: ExpectedRow, unit: TimeUnit, tolerance: Nanoseconds) -> Bool {
    let isAtItsPlace = expected.key.map { key.meets($0, unit: unit, tolerance: tolerance) } ?? true
    return isAtItsPlace && answer.meets(expected.answer, unit: unit, tolerance: tolerance)
  }

  func text(_ unit: TimeUnit) -> String { "[\(key.text(unit)), \(answer.text(unit))]" }
}
