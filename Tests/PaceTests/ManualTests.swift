import Testing

@testable import pace

@Suite("The help, and the manual page")
struct ManualTests {
  @Test("the help fits a screen")
  func screen() {
    let lines = Pace.help.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24)
    for line in lines { #expect(line.count <= 80, "\(line)") }
  }

  @Test("the page has every line of every help, and nothing else that troff would obey")
  func page() {
    let page = ManualCommand.page(of: Pace.commands)
    let lines = Set(page.split(separator: "\n"))
    for text in Pace.commands.map({ $0.help }) + [Pace.help, Pace.details] {
      for line in text.split(separator: "\n") {
        let escaped = line.replacing("-", with: "\\-").replacing("…", with: "...")
        #expect(lines.contains(escaped[...]), "\(line)")
      }
    }
    for command in Pace.commands { #expect(lines.contains(".SS \(command.name)")) }
    let requests = [".TH", ".SH", ".SS", ".nf", ".fi"]
    for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains { line.hasPrefix($0) }, "\(line)")
    }
  }

  @Test("what troff would obey is escaped")
  func escapes() {
    let lines = ManualCommand.block(".SH\n'x\na\\b -- …\n")
    #expect(lines == [".nf", "\\&.SH", "\\&'x", "a\\eb \\-\\- ...", ".fi"])
  }
}
