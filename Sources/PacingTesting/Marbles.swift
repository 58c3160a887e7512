/// A marble timeline: the events in each step of a test, as a line of text.
///
/// It describes both sides of a test: the calls, which `ManualClock.play` performs, and their
/// effects, which an ``EventRecorder`` draws.
///
/// ```swift
/// let typed:    Marbles = "s-w-i-------ft------"
/// let searched: Marbles = "-------i--------t---"
/// ```
///
/// One character is one step, `ManualClock.step` long; the first one is the present instant.
///
/// | | |
/// |---|---|
/// | `-` | nothing happens |
/// | `a` | a mark: a letter, a digit, any other character, with a meaning of the test's choice |
/// | `(ab)` | several marks in one step, in this order |
/// | `\|` | the end of a stream |
/// | `#` | the failure of a stream |
/// | `~` | nothing happens, and timers are held up until the next step, and are late |
/// | space | nothing, and no step; it aligns timelines |
///
/// An invalid literal traps; for a text known only at run time use `init(validating:)`.
public struct Marbles: Hashable, Sendable {
  /// One step.
  public enum Step: Hashable, Sendable {
    /// Marks, in order; none if nothing happens.
    case marks([Character])

    /// Nothing, and no timer runs before the next step.
    case late
  }

  /// The steps.
  public let steps: [Step]

  /// Creates a timeline of steps.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// The marks that cannot be written alone.
  static let reserved: Set<Character> = ["-", "~", "(", ")", " "]
}

extension Marbles: CustomStringConvertible {
  /// The timeline as it is written.
  public var description: String {
    steps.map { step in
      switch step {
      case .late: "~"
      case .marks([]): "-"
      case .marks(let marks):
        // A reserved mark cannot be parsed, so no written timeline equals this one.
        marks.count == 1 && !Self.reserved.contains(marks[0]) ? String(marks) : "(\(String(marks)))"
      }
    }.joined()
  }
}
