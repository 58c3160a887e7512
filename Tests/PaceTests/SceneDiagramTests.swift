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
    #expect(diagram.title == "Debouncer" && diagram.steps == 21)
    #expect(diagram.lanes.map(\.isInput) == [true, false, false])
    let expected = [
      Diagrams.Mark("t", at: 0.6), Diagrams.Mark("token", at: 7.36),
      Diagrams.Mark("×", at: 9, .failure),
    ]
    #expect(diagram.lanes.flatMap(\.marks) == expected)
  }

  @Test("diagrams below each other have one zero")
  func zero() {
    let diagrams = [
      Diagram(lanes: [Lane("a", marks: [])], steps: 3),
      Diagram(lanes: [Lane("a longer name", marks: [])], steps: 3),
    ]
    let grid = Picture(diagrams).svg.split(separator: "\n").filter { $0.contains("class=\"grid\"") }
    let columns = grid.compactMap { $0.split(separator: "M").last?.split(separator: " ").first }
    #expect(columns.count == 2 && Set(columns).count == 1)
  }

  @Test("typing does not break off for as long as the maximum wait")
  func typing() {
    let times = Trace.typing.events.map(\.time)
    let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(pauses.allSatisfy { $0 < .milliseconds(300) })
    #expect(times.last! - times.first! > .milliseconds(600))
  }
}
