import Diagrams

extension Scene {
  /// The events as a diagram with steps of 100 ms.
  func diagram(of marks: [Mark]) -> Diagram {
    let step = Duration.milliseconds(100)
    let lanes = lanes.enumerated().map { index, name in
      let own = marks.filter { $0.lane == index }
      return Lane(
        name, isInput: own.allSatisfy { $0.tone == .input },
        marks: own.map { mark in
          // In a line of text, a dot marks the time of a word; in a picture, the shape around the
          // word does.
          let sign = mark.sign.first == "●" ? String(mark.sign.dropFirst()) : mark.sign
          return Diagrams.Mark(sign, at: mark.time / step, Self.look(of: mark.tone))
        })
    }
    return Diagram(
      title: title, lanes: lanes, steps: Int((length / step).rounded(.up)) + 1, step: step)
  }

  private static func look(of tone: Tone) -> Diagrams.Mark.Look {
    switch tone {
    case .refused: .failure
    case .track: .state
    default: .value
    }
  }
}
