extension Shell {
  /// Lines for `~/.config/fish/completions/pace.fish`, or to be sourced.
  static func fishScript(for commands: [any Command.Type]) -> String {
    var lines = [
      "# fish completion for pace: pace completions fish | source",
      "complete -c pace -n __fish_use_subcommand -f -a help -d 'describe a command'",
      "complete -c pace -n __fish_use_subcommand -f -l version -d 'print the version'",
    ]
    for command in commands {
      let isGiven = "-n '__fish_seen_subcommand_from \(command.name)'"
      lines.append(
        "complete -c pace -n __fish_use_subcommand -f -a \(command.name) -d '\(command.summary)'")
      lines.append(
        "complete -c pace -n '__fish_seen_subcommand_from help' -f -a \(command.name)")
      for option in command.grammar.optionNames {
        let name = option.dropFirst(2)
        guard let value = command.grammar.value(of: option) else {
          lines.append("complete -c pace \(isGiven) -l \(name)")
          continue
        }
        let offers = value.completion == .files ? "-r -F" : "-x -a '\(value.names)'"
        lines.append("complete -c pace \(isGiven) -l \(name) \(offers) -d '\(value.name)'")
      }
      for word in command.grammar.words where !word.names.isEmpty {
        lines.append("complete -c pace \(isGiven) -f -a '\(word.names)'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
