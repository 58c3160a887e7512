import Testing

@testable import pace

@Suite("Shell")
struct CompletionsTests {
  private let scripts = [Shell.bash, .zsh, .fish].map { $0.script(for: Pace.commands) }

  @Test("every script knows every command, option and name")
  func complete() {
    for script in scripts {
      for command in Pace.commands {
        #expect(script.contains(command.name))
        for option in command.grammar.optionNames {
          #expect(script.contains(option) || script.contains("-l \(option.dropFirst(2))"))
        }
        for value in command.grammar.options.values { #expect(script.contains(value.names)) }
      }
      #expect(script.contains("leading trailing both") && script.contains("bash zsh fish"))
    }
  }

  @Test("no description breaks the quotes that it stands in")
  func quotes() {
    for command in Pace.commands {
      let names = (command.grammar.words + command.grammar.options.values).map(\.name)
      for text in names + [command.summary] {
        #expect(!text.contains { "'\"\\:[]$`".contains($0) }, "\(text)")
      }
    }
  }

  @Test("every option is in the help of its command")
  func help() {
    for command in Pace.commands {
      for option in command.grammar.optionNames where option != "--help" {
        #expect(command.help.contains(option), "\(command.name) \(option)")
      }
      #expect(command.help.hasPrefix("pace \(command.name): \(command.summary)"))
      for line in command.help.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
  }
}
