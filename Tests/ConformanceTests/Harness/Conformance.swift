/// Runs vectors against the library.
struct Conformance {
  /// The driver of each tool in the library.
  let drivers: [String: any Driver]

  /// Plays every case of the files.
  func report(on files: [VectorFile]) -> Report {
    var report = Report()
    for file in files {
      switch file.cases {
      case .failure(let reason):
        report.add(.failed("\(file.name): unreadable, \(reason)"))
      case .success(let cases):
        for (index, json) in cases.enumerated() {
          report.add(verdict(on: json, place: "\(file.name)[\(index)]"))
        }
      }
    }
    return report
  }

  /// Plays one case; `place` is its location.
  func verdict(on json: JSON, place: String) -> Verdict {
    let vector: Vector
    do {
      vector = try Vector(json)
    } catch {
      return .failed("\(place): malformed, \(error.reason)")
    }
    let name = "\(vector.id) (\(place))"
    guard let driver = drivers[vector.tool] else { return .unsupported(vector.tool, "tool") }
    do {
      var differences = [String]()
      var missing: String?
      for question in try vector.questions(features: driver.features) {
        switch try answer(question, of: vector) {
        case .success(let found): differences += found
        case .failure(let obstacle): missing = missing ?? obstacle.reason
        }
      }
      guard differences.isEmpty else {
        return .failed("\(name): \(differences.joined(separator: "; "))")
      }
      return missing.map { .unsupported(vector.tool, $0) } ?? .passed
    } catch let obstacle as Obstacle {
      switch obstacle {
      case .unsupported(let missing): return .unsupported(vector.tool, missing)
      case .malformed(let reason): return .failed("\(name): malformed, \(reason)")
      case .broken(let reason): return .failed("\(name): \(reason)")
      }
    } catch {
      return .failed("\(name): \(error)")
    }
  }

  /// The cases whose rule in words a driver checks.
  private static let rules: Set = [BurstProperty.id, BackoffProperty.levelsOff.rawValue]

  /// The differences found for one question, or what is missing to answer it.
  private func answer(
    _ question: Question, of vector: Vector
  ) throws -> Result<[String], Obstacle> {
    guard let driver = drivers[question.tool] else { return .failure(.missing(question.tool)) }
    do {
      if question.expected.rows.contains(where: { $0.answer.text == "rejected" }) {
        return .failure(.missing("rejection"))
      }
      let scenario = try Scenario(vector, question)
      if vector.statesRule || scenario.asks("property"), !Self.rules.contains(vector.id) {
        return .failure(.missing("property"))
      }
      let outcome = try driver.run(scenario)
      return .success(Comparison(outcome, to: question.expected, in: scenario).differences)
    } catch let obstacle as Obstacle {
      guard case .unsupported = obstacle else { throw obstacle }
      return .failure(obstacle)
    }
  }
}
