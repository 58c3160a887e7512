/// Lanes of marks over time, as lines of text.
///
///     keys        t-o-k--e-n----------
///     search      ------------*token--
///     0 s                       1 s
struct Timeline {
  let lanes: [String]
  let length: Duration
  let screen: Screen

  /// The length of the longest name in all scenes: their zeros are below each other.
  let longestName: Int

  private struct Cell {
    var character: Character
    var tone: Tone
  }

  private var labelWidth: Int {
    min(longestName + 4, screen.columns / 3)
  }

  private var width: Int { screen.columns - labelWidth - 1 }

  /// The number of lines: the lanes, and the ruler.
  var height: Int { lanes.count + 1 }

  /// The lines at a time, none wider than the screen.
  func lines(_ marks: [Mark], at now: Duration) -> [String] {
    lanes.indices.map { lane in
      label(lanes[lane]) + render(cells(of: marks.filter { $0.lane == lane }, at: now))
    } + [label("") + Tone.track.applied(to: ruler, on: screen)]
  }

  private func label(_ text: String) -> String {
    let padded = "  " + text + String(repeating: " ", count: labelWidth)
    return padded.prefix(labelWidth - 1) + " "
  }

  private func column(of time: Duration) -> Int {
    min(max(Int(time / length * Double(width)), 0), width)
  }

  private func cells(of marks: [Mark], at now: Duration) -> [Cell] {
    let reached = column(of: now)
    var cells = (0..<width).map { Cell(character: $0 < reached ? "·" : " ", tone: .track) }
    // Columns to the left of this are taken.
    var free = 0
    var isAfterWord = false
    for mark in marks where free < width {
      // Signs of one moment stand next to each other, but words and numbers need a gap.
      let isWord = mark.sign.count > 1 || mark.tone == .track
      let first = free > 0 && (isWord || isAfterWord) ? free + 1 : free
      // A number counts only at its own place.
      guard mark.tone != .track || column(of: mark.time) >= first else { continue }
      isAfterWord = isWord
      let start = min(max(column(of: mark.time), first), width - 1)
      let shown = mark.sign.prefix(width - start)
      for (offset, character) in shown.enumerated() {
        cells[start + offset] = Cell(character: character, tone: mark.tone)
      }
      free = start + shown.count
    }
    return cells
  }

  /// Neighbouring cells of one tone share a control sequence.
  private func render(_ cells: [Cell]) -> String {
    var text = ""
    var run = ""
    var tone = Tone.track
    for cell in cells {
      if cell.tone != tone {
        text += tone.applied(to: run, on: screen)
        (run, tone) = ("", cell.tone)
      }
      run.append(cell.character)
    }
    return text + tone.applied(to: run, on: screen)
  }

  /// Half seconds, or whole ones if there is little room.
  private var ruler: String {
    var text = ""
    let step = width < 40 ? 1_000 : 500
    for milliseconds in stride(from: 0, to: Int.max, by: step) {
      let time = Duration.milliseconds(milliseconds)
      let name = milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
      let start = column(of: time)
      guard time < length, start + name.count <= width else { break }
      text += String(repeating: " ", count: start - text.count) + name
    }
    return text
  }
}
