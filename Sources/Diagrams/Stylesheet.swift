/// The styles of a picture, for light and dark mode.
///
/// The picture has its own background, so that it is legible on any page.
struct Stylesheet {
  /// The number of colours for values.
  static let hues = 6

  /// The whole stylesheet, for both modes.
  static var text: String {
    """
    text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
    .note,.ruler,.call{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
    .title{font-size:15px;font-weight:700}.name{font-size:13px;font-weight:600}
    .ruler,.call{font-size:11px}.m text,.ruler,.call{text-anchor:middle}.m text{font-weight:700}
    .track,.arrow{stroke-width:1.5;fill:none}.bar,.stem{stroke-width:2.5}.in rect{stroke-width:2}
    .grid{stroke-dasharray:2 4}
    \(light.rules)
    @media(prefers-color-scheme:dark){
    \(dark.rules)
    }
    """
  }

  private let ground: String
  private let edge: String
  private let ink: String
  private let pale: String
  private let line: String
  private let grid: String

  /// The colours of marks, by CSS class.
  ///
  /// Each has a contrast of at least 4.5 to the ground, which is also the colour of the text on
  /// marks.
  private let marks: KeyValuePairs<String, String>

  private static let light = Stylesheet(
    ground: "#ffffff", edge: "#d5dbe1", ink: "#1c2430", pale: "#5b6673", line: "#b4bdc7",
    grid: "#dde3e9",
    marks: [
      "h0": "#0b62d6", "h1": "#b3420a", "h2": "#167a39", "h3": "#8a3ffc", "h4": "#b8145f",
      "h5": "#0a7680", "plain": "#4a5563", "success": "#167a39", "failure": "#c8202c",
    ])

  private static let dark = Stylesheet(
    ground: "#11161d", edge: "#2e3743", ink: "#e8edf3", pale: "#98a4b3", line: "#4b5665",
    grid: "#2a3440",
    marks: [
      "h0": "#6cb6ff", "h1": "#ffa45c", "h2": "#5fd18a", "h3": "#c5a3ff", "h4": "#ff92c2",
      "h5": "#4fd0d9", "plain": "#b1bbc8", "success": "#5fd18a", "failure": "#ff8a80",
    ])

  private var rules: String {
    let marks = marks.map { name, colour in
      """
      .\(name) rect{fill:\(colour);stroke:\(colour)}.in .\(name) text{fill:\(colour)}\
      .\(name).stem{stroke:\(colour)}
      """
    }
    return """
      .card{fill:\(ground);stroke:\(edge)}text{fill:\(ink)}.m text{fill:\(ground)}
      .note,.ruler,.call,.state text{fill:\(pale)}.bar{stroke:\(ink)}
      .state text{stroke:\(ground);stroke-width:6;paint-order:stroke}
      .track,.arrow{stroke:\(line)}.dot{fill:\(line)}.grid{stroke:\(grid)}
      \(marks.joined(separator: "\n"))
      .in rect{fill:\(ground)}
      """
  }
}
