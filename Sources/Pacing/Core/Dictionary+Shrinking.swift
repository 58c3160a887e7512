extension Dictionary {
  /// Moves the elements to memory that fits if there is memory for more than three times as many,
  /// and a constant.
  ///
  /// - Complexity: Amortised O(1) if it follows each removal.
  mutating func shrinkIfSparse() {
    guard capacity > 3 * count + 64 else { return }
    var fitting = Dictionary(minimumCapacity: count)
    for (key, value) in self { fitting[key] = value }
    self = fitting
  }
}
