import Pacing

/// One entry of a case's input.
struct Step: Sendable {
  /// The index in the input.
  let index: Int

  /// The time as the case states it.
  let stated: Nanoseconds

  /// The effective time: never before the previous step's.
  let time: Nanoseconds

  let event: Event

  enum Event: Sendable {
    case value(String)
    case call(Call)
  }
}

/// An operation that a case asks of the tool.
struct Call: Sendable {
  let name: String
  let arguments: [String: JSON]
  let unit: TimeUnit

  /// The arguments, read as settings.
  var settings: Settings { Settings(arguments, unit: unit) }

  /// Throws at an argument that the driver does not know and would ignore.
  func expectOnly(_ known: Set<String>) throws(Obstacle) {
    if let first = Set(arguments.keys).subtracting(known).min() { throw .missing(first) }
  }

  /// An integer; nil if absent, as for the others.
  func count(_ argument: String) throws(Obstacle) -> Int? {
    guard let value = arguments[argument] else { return nil }
    guard let count = value.count else { throw malformed(argument, value) }
    return count
  }

  /// A boolean.
  func flag(_ argument: String) throws(Obstacle) -> Bool? {
    guard let value = arguments[argument] else { return nil }
    guard let flag = value.flag else { throw malformed(argument, value) }
    return flag
  }

  /// A number.
  func number(_ argument: String) throws(Obstacle) -> Double? {
    guard let value = arguments[argument] else { return nil }
    guard let number = value.double else { throw malformed(argument, value) }
    return number
  }

  /// A time or a duration.
  func nanoseconds(_ argument: String) throws(Obstacle) -> Nanoseconds? {
    guard let value = arguments[argument], value != .null else { return nil }
    guard let span = unit.nanoseconds(value) else { throw malformed(argument, value) }
    return span
  }

  /// The value of an argument that the operation requires.
  func required<Value>(_ argument: String, _ value: Value?) throws(Obstacle) -> Value {
    guard let value else { throw .malformed("\(name) without \(argument)") }
    return value
  }

  private func malformed(_ argument: String, _ value: JSON) -> Obstacle {
    .malformed("\(name).\(argument) is \(value)")
  }
}
