/// The permits of a concurrency limit.
struct Permits {
  /// The most permits held at a time.
  private(set) var count: Int
  /// The permits held now; above the count after that was reduced.
  private(set) var held = 0
  /// How the count follows outcomes; nil if it is fixed.
  private var adaptation: Adaptation?

  init(_ count: Int) {
    self.count = count
  }

  init(_ range: ClosedRange<Int>, startingAt start: Int) {
    count = start
    adaptation = Adaptation(range, startingAt: start)
  }

  var available: Int { count - held }

  /// Whether a call can have its permit behind others; only a return can change it.
  func isFree(behind ahead: Int128) -> Bool { Int128(available) > ahead }

  mutating func take() { held += 1 }

  /// Takes a permit back, which tells how its call ended.
  mutating func giveBack(
    _ outcome: PermitOutcome, takenAt instant: PacingInstant, at now: PacingInstant
  ) {
    if adaptation != nil, outcome != .unknown {
      adaptation!.note(outcome, whileHeld: held, takenAt: instant, at: now)
      count = adaptation!.count
    }
    held -= 1
  }

  mutating func reconfigure(_ count: Int) {
    adaptation?.reconfigure(count)
    self.count = adaptation?.count ?? count
  }
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

  /// The whole permits.
  var count: Int { Int(level / Self.permit) }

  /// Takes the end of a call into account.
  ///
  /// A success while at least half of the count is held adds one permit in as many successes as
  /// there are permits. An overload takes a tenth, once for all permits taken before the last cut
  /// or in its instant.
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
