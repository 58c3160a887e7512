extension Shell {
  /// Names replace the words where they are known; everywhere else bash offers files.
  static func bashScript(for commands: [any Command.Type]) -> String {
    let names = commands.map { $0.name }.joined(separator: " ")
    let values = commands.flatMap { command in
      command.grammar.optionNames.compactMap { option in
        command.grammar.value(of: option).map { value in
          "    \(command.name)/\(option)) names='\(value.names)' ;;\n"
        }
      }
    }
    let words = commands.map { command in
      let word = command.grammar.words.first?.names ?? ""
      let options = command.grammar.optionNames.joined(separator: " ")
      return "        \(command.name)) options='\(options)' words='\(word)' ;;\n"
    }
    let places = commands.filter { $0.grammar.takesCommand && !$0.grammar.repeatsLastWord }.map {
      "\($0.name)/\($0.grammar.words.count + 2)"
    }
    return """
      # bash completion for pace: source <(pace completions bash)
      _pace() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
        local command=${COMP_WORDS[1]} names= options= words=
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          COMPREPLY=($(compgen -W '\(names) help --help --version' -- "$word"))
          return
        fi
        if ((COMP_CWORD == 2)) && [[ $command == help ]]; then
          COMPREPLY=($(compgen -W '\(names)' -- "$word"))
          return
        fi
        case $command/$before in
      \(values.joined())\
          *)
            case $command in
      \(words.joined())\
            esac
            if [[ $word == -* ]]; then names=$options; else names=$words; fi
            ;;
        esac
        if [[ -n $names ]]; then
          COMPREPLY=($(compgen -W "$names" -- "$word"))
          return
        fi
        case $command/$COMP_CWORD in
          \(places.joined(separator: " | "))) COMPREPLY=($(compgen -c -- "$word")) ;;
        esac
      }
      complete -o default -F _pace pace

      """
  }
}
