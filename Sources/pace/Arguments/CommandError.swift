/// Why a command failed: a message, and an exit status.
struct CommandError: Error, Equatable {
  /// One sentence for standard error, or nil for a silent end.
  let message: String?

  /// The exit status of the process.
  let status: ExitStatus

  init(_ message: String?, status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// Whether a command could not be started.
  var isOfStart: Bool { status == .notFound || status == .notExecutable }

  /// A command line that is not understood.
  static func usage(_ message: String) -> CommandError {
    CommandError(message, status: .usage)
  }

  /// The reader of standard output has left, as `head` does: silent, as if SIGPIPE had ended pace.
  static var outputAbandoned: CommandError {
    CommandError(nil, status: .outputClosed)
  }

  /// Standard output was closed when the process began, as by `>&-`.
  static var outputClosed: CommandError {
    CommandError("standard output is closed", status: .outputClosed)
  }

  /// Standard input cannot be read.
  static func unreadableInput(_ error: SystemError) -> CommandError {
    CommandError("cannot read standard input: \(error)", status: .inputOutput)
  }
}
