extension Shell {
  /// A function for a file `_pace` in a directory of `fpath`, or to be sourced.
  static func zshScript(for commands: [any Command.Type]) -> String {
    let list = commands.map { "    '\($0.name):\($0.summary)'\n" }
    let cases = commands.map { command in
      let specifications = specifications(of: command.grammar).map { " \\\n        '\($0)'" }
      return """
            \(command.name))
              _arguments -S\(specifications.joined())
              ;;

        """
    }
    return """
      #compdef pace
      # zsh completion for pace: a file _pace in a directory of fpath, or
      # source <(pace completions zsh)
      _pace() {
        local -a commands
        commands=(
      \(list.joined())\
          'help:describe a command'
        )
        if ((CURRENT == 2)); then
          _describe command commands
          return
        fi
        shift words
        ((CURRENT--))
        case $words[1] in
      \(cases.joined())\
          help)
            _describe command commands
            ;;
        esac
      }
      if [[ ${funcstack[1]-} == _pace ]]; then _pace "$@"; else compdef _pace pace; fi

      """
  }

  private static func specifications(of grammar: Grammar) -> [String] {
    let options = grammar.optionNames.map { option in
      guard let value = grammar.value(of: option) else { return option }
      return "\(option)[\(value.name)]:\(value.name):\(action(for: value))"
    }
    let words = grammar.words.enumerated().map { index, value in
      let isLast = index == grammar.words.count - 1
      let place = grammar.repeatsLastWord && isLast ? "*" : "\(index + 1)"
      return "\(place):\(value.name):\(action(for: value))"
    }
    let command = grammar.takesCommand && !grammar.repeatsLastWord ? ["*::a command:_normal"] : []
    return options + words + command
  }

  private static func action(for value: Grammar.Value) -> String {
    switch value.completion {
    case .nothing: " "
    case .files: "_files"
    case .names(let names): "(\(names.joined(separator: " ")))"
    }
  }
}
