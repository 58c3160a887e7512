import Pacing

extension Choice<Edges> {
  /// The edges of a debouncer's burst, or of a throttler's window.
  static let edges = Choice(["leading": .leading, "trailing": .trailing, "both": .both])
}

extension Choice<MissedTicks> {
  /// The policies for missed ticks.
  static let missedTicks = Choice([
    "skip": .skip, "burst": .burst, "coalesce": .coalesce, "delay": .delay,
  ])
}

extension Choice<Jitter> {
  /// The kinds of jitter.
  static let jitters = Choice([
    "none": .none, "full": .full, "equal": .equal, "decorrelated": .decorrelated,
  ])
}
