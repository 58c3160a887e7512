/// A command of the tool.
protocol Command: Sendable {
  /// Its name on the command line.
  static var name: String { get }

  /// Its purpose, in one line.
  static var summary: String { get }

  /// The text that `--help` prints.
  static var help: String { get }

  /// The words that it understands.
  static var grammar: Grammar { get }

  /// Reads its settings.
  ///
  /// - Throws: A usage error for an invalid setting.
  init(_ arguments: Arguments) throws(CommandError)

  /// Does its work.
  ///
  /// - Returns: The exit status.
  /// - Throws: The error that ended it early.
  func run(in session: Session) async throws(CommandError) -> ExitStatus
}
