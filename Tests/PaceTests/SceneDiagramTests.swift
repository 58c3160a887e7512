import Diagrams
import Testing

@testable import pace

@Suite("Scene.diagram")
struct SceneDiagramTests {
  @Test("has the lanes of the scene, and each mark at its time")
  func diagram() {
    let marks = [
      pace.Mark(lane: 0, time: .milliseconds(60), sign: "t", text: "", tone: .input),
      pace.Mark(lane: 1, time: .milliseconds(736), sign: "●token", text: "", tone: .delivered),
      pace.Mark(lane: 2, time: .milliseconds(900), sign: "×", text: "", tone: .refused),
    ]
    let diagram = DebounceScene().diagram(of: marks)
    #expect(diagram.title == "Debouncer" && diagram.steps == 24)
    #expect(diagram.lanes.map(\.isInput) == [true, false, false])
    let expected = [
      Diagrams.Mark("t", at: 0.6), Diagrams.Mark("token", at: 7.36),
      Diagrams.Mark("×", at: 9, .failure),
    ]
    #expect(diagram.lanes.flatMap(\.marks) == expected)
  }
}
