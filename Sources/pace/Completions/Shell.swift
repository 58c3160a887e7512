/// A shell, and the script that completes the words of `pace` in it.
enum Shell: Sendable {
  case bash
  case zsh
  case fish

  /// The script for these commands.
  func script(for commands: [any Command.Type]) -> String {
    switch self {
    case .bash: Self.bashScript(for: commands)
    case .zsh: Self.zshScript(for: commands)
    case .fish: Self.fishScript(for: commands)
    }
  }
}

extension Choice<Shell> {
  /// The shells by their names.
  static let shells = Choice(["bash": .bash, "zsh": .zsh, "fish": .fish])
}

extension Grammar {
  /// The names of all options, in alphabetical order.
  var optionNames: [String] { (Array(flags) + Array(options.keys) + ["--help"]).sorted() }

  /// The option's value, or nil for a flag.
  func value(of option: String) -> Value? { options[option] }
}

extension Grammar.Value {
  /// The names to offer, separated by spaces; empty if there are none.
  var names: String {
    if case .names(let names) = completion { names.joined(separator: " ") } else { "" }
  }
}
