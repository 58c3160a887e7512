/// A marble timeline: what happens in each step of a test, as a line of text.
///
/// Both sides of a test can be written so: the calls that it makes, which `ManualClock.play` plays,
/// and what came of them, which an `EventRecorder` draws.
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
/// | `a` | a mark: a letter, a digit, any other sign. What it stands for is the test's to say |
/// | `(ab)` | several marks in one step, in this order |
/// | `\|` | the end of a stream |
/// | `#` | the failure of a stream |
/// | `~` | nothing happens, and timers are held up until the next step: they are late |
/// | space | nothing at all, no step either; it lets timelines stand below each other |
///
/// A literal must be written so: in a text that comes from elsewhere, use `init(validating:)`.
public struct Marbles: Hashable, Sendable {
  /// What happens in one step.
  public enum Step: Hashable, Sendable {
    /// These marks, one after another; none where nothing happens.
    case marks([Character])

    /// Nothing, and no timer runs before the next step.
    case late
  }

  /// The steps, from the first on.
  public let steps: [Step]

  /// Makes a timeline of steps.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// The marks that have a meaning of their own, or none that can be written alone.
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
        // A mark that cannot be written alone cannot be read either: no written timeline equals it.
        marks.count == 1 && !Self.reserved.contains(marks[0]) ? String(marks) : "(\(String(marks)))"
      }
    }.joined()
  }
}
