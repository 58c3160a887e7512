import Pacing

/// The settings of a case, read one by one, each with a specific error.
struct Settings: Sendable {
  let values: [String: JSON]

  /// The unit of every time in the case.
  let unit: TimeUnit

  /// The settings in which null is a value; elsewhere it means absence.
  static let nullable: Set = ["wait", "max_wait", "rate", "rate_per_s"]

  init(_ values: [String: JSON]) throws(Obstacle) {
    switch values["unit"] {
    case .string("ns"): self.init(values, unit: .nanoseconds)
    case nil, .null, .string("ms"): self.init(values, unit: .milliseconds)
    default: throw .missing("unit")
    }
  }

  /// Settings without a unit of their own, such as those inside of others.
  init(_ values: [String: JSON], unit: TimeUnit) {
    self.values = values.withoutNull(but: Self.nullable)
    self.unit = unit
  }

  /// The settings inside a setting, in the same unit; nil if it is absent.
  func settings(_ name: String) throws(Obstacle) -> Settings? {
    guard let value = values[name] else { return nil }
    guard let members = value.members else { throw malformed(name, value) }
    return Settings(members, unit: unit)
  }

  /// Settings that describe the source, not the tool.
  static let silent: Set = ["unit", "tie", "tolerance_ms"]

  /// Throws at a setting that the driver does not know and would ignore.
  func expectOnly(_ known: Set<String>) throws(Obstacle) {
    let unknown = Set(values.keys).subtracting(known).subtracting(Self.silent)
    if let first = unknown.min() { throw .missing(first) }
  }

  /// The tolerance of times.
  var tolerance: Nanoseconds {
    values["tolerance_ms"].flatMap(TimeUnit.milliseconds.nanoseconds) ?? 0
  }

  /// Whether the setting is present.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// A duration; `null` is one that never elapses.
  func duration(_ name: String) throws(Obstacle) -> Duration? {
    guard let value = values[name] else { return nil }
    if value == .null { return Duration.nanoseconds(Nanoseconds.never) }
    guard let span = unit.nanoseconds(value) else { throw malformed(name, value) }
    return Duration.nanoseconds(span)
  }

  /// A number of seconds, whatever the unit; nil if absent.
  func seconds(_ name: String) throws(Obstacle) -> Duration? {
    guard let value = values[name] else { return nil }
    guard let span = TimeUnit.seconds.nanoseconds(value) else { throw malformed(name, value) }
    return Duration.nanoseconds(span)
  }

  /// An integer; nil if absent.
  func count(_ name: String) throws(Obstacle) -> Int? {
    guard let value = values[name] else { return nil }
    guard let count = value.count else { throw malformed(name, value) }
    return count
  }

  /// The number of deliveries after which the consumer leaves; nil if it takes all of them.
  var take: Int? {
    get throws(Obstacle) {
      let take = try count("take")
      if let take, take < 1 { throw .malformed("config.take is \(take)") }
      return take
    }
  }

  /// A number; nil if absent.
  func number(_ name: String) throws(Obstacle) -> Double? {
    guard let value = values[name] else { return nil }
    guard let number = value.double else { throw malformed(name, value) }
    return number
  }

  /// A boolean.
  func flag(_ name: String) throws(Obstacle) -> Bool? {
    guard let value = values[name] else { return nil }
    guard let flag = value.flag else { throw malformed(name, value) }
    return flag
  }

  /// A word.
  func word(_ name: String) throws(Obstacle) -> String? {
    guard let value = values[name] else { return nil }
    guard let word = value.text else { throw malformed(name, value) }
    return word
  }

  /// The value of a setting that the tool requires.
  func required<Value>(_ name: String, _ value: Value?) throws(Obstacle) -> Value {
    guard let value else { throw .malformed("config.\(name) is missing") }
    return value
  }

  private func malformed(_ name: String, _ value: JSON) -> Obstacle {
    .malformed("config.\(name) is \(value)")
  }
}
