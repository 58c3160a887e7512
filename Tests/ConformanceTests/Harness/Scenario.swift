import Pacing

/// The part of a case that a driver plays to its tool.
struct Scenario: Sendable {
  let id: String
  let config: Settings
  let steps: [Step]

  /// When the source completes, after every step at that time.
  let end: Nanoseconds?

  /// The keys of the answer, for drivers that are asked only there.
  let asked: [ExpectedRow]

  /// Whether the case maps its settings to the library's tools.
  let isMapped: Bool

  /// The last instant to observe; nil if the tool comes to rest by itself.
  let horizon: Nanoseconds?

  /// How many polls a limit refuses; nil if unspecified.
  let missed: Int?

  init(_ vector: Vector, _ question: Question) throws(Obstacle) {
    id = vector.id
    config = try Settings(question.config)
    asked = question.expected.rows
    isMapped = vector.fields["mapping"]?.text != nil
    steps = try Self.steps(vector.fields["input"], config.unit)
    end = try Self.time(vector.fields["end"], "end", config.unit)
    missed = vector.fields["expect_missed"]?.count
    horizon = try Self.time(vector.fields["horizon"], "horizon", config.unit)
  }

  /// Whether `cancel` means that the consumer leaves, as in sources without another cancel.
  var isCancelledByLeaving: Bool {
    let sources: Set = ["rxjs", "rxjs_oracle", "rxswift", "asyncalg", "async_algorithms"]
    return sources.contains(String(id.prefix { $0 != "." }))
  }

  /// Whether the case asks for an operation.
  func asks(_ name: String) -> Bool {
    steps.contains { if case .call(let call) = $0.event { call.name == name } else { false } }
  }

  private static func time(
    _ json: JSON?, _ field: String, _ unit: TimeUnit
  ) throws(Obstacle) -> Nanoseconds? {
    guard let json else { return nil }
    guard let time = unit.nanoseconds(json) else { throw .malformed("\(field) is \(json)") }
    return time
  }

  private static func steps(_ input: JSON?, _ unit: TimeUnit) throws(Obstacle) -> [Step] {
    guard let entries = input?.elements else { throw .malformed("input is no array") }
    var steps = [Step]()
    for (index, entry) in entries.enumerated() {
      guard let pair = entry.elements, pair.count == 2, let stated = unit.nanoseconds(pair[0])
      else { throw .malformed("input[\(index)] is \(entry)") }
      let time = max(stated, steps.last?.time ?? 0)
      let event = try event(pair[1], unit)
      steps.append(Step(index: index, stated: stated, time: time, event: event))
    }
    return steps
  }

  private static func event(_ json: JSON, _ unit: TimeUnit) throws(Obstacle) -> Step.Event {
    if let value = json.text { return .value(value) }
    guard var arguments = json.members?.withoutNull(but: Settings.nullable),
      let name = arguments.removeValue(forKey: "op")?.text
    else { throw .malformed("an input is \(json)") }
    return .call(Call(name: name, arguments: arguments, unit: unit))
  }
}
