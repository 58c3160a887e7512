/// Why a command ends without having done its work: what to say, and the status to leave with.
struct CommandError: Error, Equatable {
  /// One sentence for standard error, nil where the end is a quiet one.
  let message: String?

  /// The status that the process ends with.
  let status: ExitStatus

  init(_ message: String?, status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// Words on the command line that cannot be followed.
  static func usage(_ message: String) -> CommandError {
    CommandError(message, status: .usage)
  }

  /// Standard output has no reader any more: nobody is left to tell.
  static var outputClosed: CommandError {
    CommandError(nil, status: .outputClosed)
  }

  /// Standard input cannot be read.
  static func unreadableInput(_ error: SystemError) -> CommandError {
    CommandError("cannot read standard input: \(error)", status: .inputOutput)
  }
}
