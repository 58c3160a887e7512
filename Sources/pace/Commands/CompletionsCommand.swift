/// `pace completions`: the script that completes the words of `pace` in a shell.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "print a script that completes the words of pace in a shell"
  static let grammar = Grammar(
    words: [Grammar.Value("the shell", completion: Choice.shells.grammar.completion)])
  static let help = """
    pace completions: print a script that completes the words of pace in a shell.

    usage: pace completions bash|zsh|fish

    In the shell's own start file:

        source <(pace completions bash)      # ~/.bashrc
        source <(pace completions zsh)       # ~/.zshrc, after compinit
        pace completions fish | source       # ~/.config/fish/config.fish

    """

  private let shell: Shell

  init(_ arguments: Arguments) throws(CommandError) {
    shell = try Choice.shells.parse(arguments.words[0])
  }

  func run(in session: Session) async throws(CommandError) -> ExitStatus {
    try session.output.write(shell.script(for: Pace.commands))
    return .success
  }
}
