extension PacingInstant {
  /// An instant from `self` to `self + tolerance` that neighbouring deadlines share.
  ///
  /// Dispatch ignores leeway on Linux. Rounding deadlines up to a multiple of the largest power of
  /// two within the tolerance lets neighbours fall due with one wake.
  package func coalesced(within tolerance: Nanoseconds) -> PacingInstant {
    guard tolerance > 0 else { return self }
    let grid: Nanoseconds = 1 << (63 - tolerance.leadingZeroBitCount)
    let shared = PacingInstant(nanoseconds: nanoseconds.adding(grid - 1) & -grid)
    // Near the end of time the grid has no further instant.
    return Swift.max(self, shared)
  }
}
