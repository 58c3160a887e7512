extension Nanoseconds {
  /// The span in its largest unit with a whole number, for a log: "24 h", "20 s", "1500 ms".
  var shortText: String {
    if self == .never { return "ever" }
    let units: [(length: Nanoseconds, name: String)] = [
      (3_600_000_000_000, "h"), (1_000_000_000, "s"), (1_000_000, "ms"), (1000, "µs"),
    ]
    for unit in units where self != 0 && self % unit.length == 0 {
      return "\(self / unit.length) \(unit.name)"
    }
    return self == 0 ? "0 s" : "\(self) ns"
  }
}
