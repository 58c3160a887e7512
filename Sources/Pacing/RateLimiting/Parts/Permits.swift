struct Permits {
  var count: Int
  /// The permits held now; above the count after that was reduced.
  var held = 0

  var available: Int { count - held }
}

/// What the end of a call teaches a limit that adapts.
enum PermitOutcome {
  case success
  /// A sign that the server has too much to do.
  case overload
  case unknown
}

/// A count of permits that follows outcomes, as a pure value: additive increase, multiplicative
/// decrease (AIMD), as in the congestion control of TCP (Chiu and Jain, 1989).
///
/// It counts in 2⁻³² of a permit, so nothing is rounded to a float.
struct Adaptation {
  private let range: ClosedRange<Int>
  private var level: Int64
  private var lastCut = PacingInstant.distantPast

  private static let permit: Int64 = 1 << 32

  init(_ range: ClosedRange<Int>, startingAt start: Int) {
    self.range = range
    level = Int64(start) * Self.permit
  }

  var count: Int { Int(level / Self.permit) }

  /// Adds a permit in as many successes as there are permits, if at least half of them are held.
  ///
  /// An overload takes a tenth, once for all permits taken before the last cut or in its instant.
  mutating func note(
    _ outcome: PermitOutcome, whileHeld held: Int, takenAt instant: PacingInstant,
    at now: PacingInstant
  ) {
    switch outcome {
    case .success where 2 * held >= count:
      let step = (Self.permit - 1) / Int64(count) + 1
      level = min(level + step, Int64(range.upperBound) * Self.permit)
    case .overload where instant > lastCut:
      level = max(level - level / 10, Int64(range.lowerBound) * Self.permit)
      lastCut = now
    default: break
    }
  }

  mutating func reconfigure(_ count: Int) {
    level = Int64(min(max(count, range.lowerBound), range.upperBound)) * Self.permit
  }
}
