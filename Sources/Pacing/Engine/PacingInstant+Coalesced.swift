extension PacingInstant {
  /// An instant up to `self + tolerance`, and not before `self`, that entries of different
  /// deadlines share.
  ///
  /// Dispatch ignores leeway on Linux. Deadlines are rounded up to a multiple of the largest power
  /// of two within the tolerance, so that those of a neighbourhood fall due with one wake.
  package func coalesced(within tolerance: Nanoseconds) -> PacingInstant {
    guard tolerance > 0 else { return self }
    let grid: Nanoseconds = 1 << (63 - tolerance.leadingZeroBitCount)
    let shared = PacingInstant(nanoseconds: nanoseconds.adding(grid - 1) & -grid)
    // Near the end of time the grid has no further instant.
    return Swift.max(self, shared)
  }
}
