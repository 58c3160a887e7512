import Diagrams
import PacingTesting
import Testing

extension Drawing {
  /// The name of its picture.
  var name: String { "\(place.lowercased())-\(kind)" }

  /// What happens, as a diagram: the row that is played, and what comes of it.
  var diagram: Diagram {
    get async throws {
      var lanes = [Lane]()
      // A row of digits counts the steps, as the picture's own ruler does.
      if rows[0].label != "step" {
        lanes.append(
          Lane(
            rows[0].label, note: rows[0].note, isInput: true,
            marks: Timeline.moments(of: try Marbles(validating: input)).map(mark)))
      }
      for row in rows.dropFirst() {
        let played = try #require(await played(row.label))
        lanes.append(
          Lane(row.label, note: row.note, marks: played.moments.map(outcome)))
      }
      return Diagram(lanes: lanes, steps: steps)
    }
  }

  /// The words for marks that are calls, by the kinds of drawings in which they are.
  private var calls: [Character: String] {
    switch kind {
    case "verbs", "end", "grid", "weight":
      ["!": "flush", "x": "cancel", "r": "reset", "|": "finish"]
    case "timer":
      ["s": "start", "p": "suspend", "r": "resume", "f": "fireNow", "x": "cancel"]
    default: [:]
    }
  }

  private func mark(_ step: Int, _ mark: Character) -> Mark {
    if let call = calls[mark] { return Mark(call, at: Double(step), .call) }
    return outcome(step, mark)
  }

  /// Whether what comes out are numbers, and no values that went in.
  private var isCounting: Bool {
    ["batch", "weight", "gap", "grid", "batched", "retry", "backoff", "reconnect", "timer"]
      .contains(kind)
  }

  private func outcome(_ step: Int, _ mark: Character) -> Mark {
    let looks: [Character: Mark.Look] =
      switch kind {
      case "backoff", "reconnect": ["f": .failure, "s": .success]
      case "poll": ["!": .failure, "o": .success]
      case "answers": ["y": .success, "n": .failure]
      default: ["|": .end, "#": .failure]
      }
    return Mark(
      String(mark), at: Double(step),
      looks[mark] ?? (isCounting && mark.isNumber ? .number : .value))
  }
}
