extension BucketSnapshot: Codable {
  private enum CodingKeys: CodingKey {
    case time
    case rate
    case burst
    case fineness
    case overdraft
    case refill
    case debt
    case pause
    case reservations
  }

  /// Reads the format that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the values are not those of a bucket.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func require(_ isValid: Bool, _ key: CodingKeys, _ requirement: String) throws {
      guard isValid else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "\(key.stringValue) must \(requirement)")
      }
    }
    wallTime = try container.decode(Nanoseconds.self, forKey: .time)
    rate = try container.decode(Rate.self, forKey: .rate)
    burst = try container.decode(Int.self, forKey: .burst)
    try require(burst > 0, .burst, "be positive")
    fineness = try container.decodeIfPresent(Int64.self, forKey: .fineness) ?? 1
    try require(
      fineness > 0 && !rate.tokens.multipliedReportingOverflow(by: fineness).overflow
        && !rate.nanoseconds.multipliedReportingOverflow(by: fineness).overflow,
      .fineness, "be positive, and its product with the rate fit in 64 bits")
    overdraft = try container.decodeIfPresent(Overdraft.Kind.self, forKey: .overdraft) ?? .none
    steps = try container.decodeIfPresent(Steps.self, forKey: .refill)
    try require(
      steps.map { $0.period > 0 && (0..<$0.period).contains($0.next) } ?? true, .refill,
      "have a positive period, and a next step within it")
    debt = try container.decode(Units.self, forKey: .debt)
    try require(debt.count >= 0, .debt, "not be negative")
    pause = try container.decodeIfPresent(Nanoseconds.self, forKey: .pause)
    try require(pause ?? 1 > 0, .pause, "be positive")
    pins = try container.decodeIfPresent([Pin].self, forKey: .reservations) ?? []
    try require(
      pins.allSatisfy { $0.tokens > 0 && 0 <= $0.at.count && $0.at.count <= $0.limit.count }
        && zip(pins, pins.dropFirst()).allSatisfy { $0.at.count <= $1.at.count },
      .reservations, "be of positive costs, and in order of time")
  }

  /// Writes times in nanoseconds, and units as text, because they do not fit in 64 bits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(wallTime, forKey: .time)
    try container.encode(rate, forKey: .rate)
    try container.encode(burst, forKey: .burst)
    if fineness != 1 { try container.encode(fineness, forKey: .fineness) }
    if overdraft != .none { try container.encode(overdraft, forKey: .overdraft) }
    try container.encodeIfPresent(steps, forKey: .refill)
    try container.encode(debt, forKey: .debt)
    try container.encodeIfPresent(pause, forKey: .pause)
    if !pins.isEmpty { try container.encode(pins, forKey: .reservations) }
  }
}

extension BucketSnapshot.Units: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let count = Int128(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the text must be a whole number of 128 bits")
    }
    self.count = count
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(count))
  }
}
