/// One of the tool's commands: the words it understands, and what it does.
protocol Command: Sendable {
  /// The word that names it.
  static var name: String { get }

  /// What it does, in one line.
  static var summary: String { get }

  /// What `--help` prints, from the usage line to the last newline.
  static var help: String { get }

  /// The words that it understands.
  static var grammar: Grammar { get }

  /// Reads its settings.
  ///
  /// - Throws: a usage error for a setting that it cannot work with.
  init(_ arguments: Arguments) throws(CommandError)

  /// Does its work.
  ///
  /// - Returns: the status to end with.
  /// - Throws: what ended it early.
  func run(in session: Session) async throws(CommandError) -> ExitStatus
}
