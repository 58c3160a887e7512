import Foundation
import TestSupport
import Testing

/// A torn or absurd vector is reported; it neither stops the run nor hangs it.
@Suite("Conformance reader: hostile input")
struct VectorFuzzTests {
  private let conformance = Conformance(drivers: .all)

  /// The committed cases, by tool.
  private static let cases: [[JSON]] = {
    let files = (try? VectorFile.all(in: VectorFile.committed)) ?? []
    let all = files.flatMap { (try? $0.cases.get()) ?? [] }
    let groups = Dictionary(grouping: all) { $0.members?["tool"]?.text ?? "" }
    return groups.sorted { $0.key < $1.key }.map(\.value)
  }()

  /// Numbers that no real case contains.
  private static let absurd: [JSON] = [
    .integer(0), .integer(-1), .integer(1), .integer(.min), .integer(.max), .integer(1 << 53),
    .integer(1_000_000_007), .integer(-1_000_000_007), .integer(9_223_372_036_854),
    .number(1e-300), .number(1e-6), .number(-1e300), .number(1e300), .number(0.1), .null,
  ]

  @Test(
    "a case with absurd numbers ends, whatever its tool", .serialized,
    arguments: Soak.seeds(20))
  func absurdNumbers(seed: UInt64) throws {
    var dice = Dice(state: seed)
    for group in Self.cases {
      var json = try #require(group.randomElement(using: &dice))
      for _ in 0..<Int.random(in: 1...2, using: &dice) {
        var places = [[Place]]()
        for field in ["config", "input", "end", "horizon"] {
          json.members?[field]?.numbers(below: [.member(field)], into: &places)
        }
        guard let place = places.randomElement(using: &dice) else { continue }
        json.put(Self.absurd.randomElement(using: &dice)!, at: place[...])
      }
      _ = conformance.verdict(on: json, place: "seed \(seed)")
    }
  }

  /// Small and seeded, so that failures are reproducible.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) | (state << 31)
    }
  }

  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "null", "true", "-1", "0", "1e999", "-9223372036854775808",
    "9223372036854775807", "1e-9", "\"a\"", "[]", "{}", "\\u0000",
  ]

  @Test(
    "a torn text is one failure for each case, and no more",
    arguments: Soak.seeds(60))
  func torn(seed: UInt64) {
    var dice = Dice(state: seed)
    for sample in Sample.all {
      var characters = Array("[\(sample.json)]")
      for _ in 0..<Int.random(in: 1...3, using: &dice) {
        let place = Int.random(in: 0..<characters.count, using: &dice)
        if Bool.random(using: &dice) {
          characters.remove(at: place)
        } else {
          characters.insert(contentsOf: Self.pieces.randomElement(using: &dice)!, at: place)
        }
      }
      let text = String(characters)
      let report = conformance.report(
        on: [VectorFile(name: "torn.json") { Data(text.utf8) }])
      let count =
        report.passed + report.failures.count + report.unsupported.values.reduce(0, +)
      #expect(count <= 3, "seed \(seed): \(text)")
    }
  }
}

/// One step into a value: a member's name or an element's index.
private enum Place {
  case member(String)
  case element(Int)
}

extension JSON {
  /// The locations of its numbers.
  fileprivate func numbers(below place: [Place], into places: inout [[Place]]) {
    switch self {
    case .integer, .number: places.append(place)
    case .array(let array):
      for (index, element) in array.enumerated() {
        element.numbers(below: place + [.element(index)], into: &places)
      }
    case .object(let object):
      for (name, member) in object.sorted(by: { $0.key < $1.key }) {
        member.numbers(below: place + [.member(name)], into: &places)
      }
    default: break
    }
  }

  /// Replaces the value at a location.
  fileprivate mutating func put(_ value: JSON, at place: ArraySlice<Place>) {
    let rest = place.dropFirst()
    switch (self, place.first) {
    case (.object(var object), .member(let name)):
      object[name]?.put(value, at: rest)
      self = .object(object)
    case (.array(var array), .element(let index)):
      array[index].put(value, at: rest)
      self = .array(array)
    default:
      self = value
    }
  }
}
