/// All that is measured, in the order in which it is printed.
enum Rows {
  static let clockRead = "clock_gettime"

  static var all: [Row] {
    clocks + floors + limits + keys + values + timers + processors + streams + memory + allocations
      + firing
      + lateness
      + scale + crowds + contention + packages
  }
}
