/// The exit status of a process, by the conventions of the shell and of sysexits.h.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
  let rawValue: Int32

  /// Success.
  static let success = ExitStatus(rawValue: 0)

  /// The command line is not understood.
  static let usage = ExitStatus(rawValue: 64)

  /// Reading or writing failed.
  static let inputOutput = ExitStatus(rawValue: 74)

  /// The command exists but cannot be executed.
  static let notExecutable = ExitStatus(rawValue: 126)

  /// The command does not exist.
  static let notFound = ExitStatus(rawValue: 127)

  /// The status after SIGPIPE, which is number 13 everywhere.
  static let outputClosed = ExitStatus.signal(13)

  /// The status of a process that this signal ended.
  static func signal(_ number: Int32) -> ExitStatus {
    ExitStatus(rawValue: 128 + number)
  }
}
