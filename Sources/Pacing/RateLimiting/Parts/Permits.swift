/// The permits of a concurrency limit.
struct Permits {
  /// The most permits held at a time.
  var count: Int
  /// The permits held now; above the count after that was reduced.
  private(set) var held = 0

  init(_ count: Int) {
    self.count = count
  }

  var available: Int { count - held }

  /// Whether a call can have its permit behind others; only a return can change it.
  func isFree(behind ahead: Int128) -> Bool { Int128(available) > ahead }

  mutating func take() { held += 1 }

  mutating func giveBack() { held -= 1 }
}
