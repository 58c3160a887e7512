extension Nanoseconds {
  /// The product, rounded to the nearest, saturating; exact if the factor is 1.
  func scaled(by factor: Double, atMost limit: Nanoseconds = .never) -> Nanoseconds {
    if factor == 1 || self == 0 { return Swift.min(self, limit) }
    let product = (Double(self) * factor).rounded()
    return product < Double(limit) ? Nanoseconds(product) : limit
  }
}
