/// The number that a process ends with, by the conventions of the shell and of sysexits.h.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
  let rawValue: Int32

  /// All went well.
  static let success = ExitStatus(rawValue: 0)

  /// The command line cannot be followed.
  static let usage = ExitStatus(rawValue: 64)

  /// Reading or writing failed.
  static let inputOutput = ExitStatus(rawValue: 74)

  /// The command exists and cannot be executed.
  static let notExecutable = ExitStatus(rawValue: 126)

  /// There is no such command.
  static let notFound = ExitStatus(rawValue: 127)

  /// What a process has that SIGPIPE ended, whose number is 13 everywhere.
  static let outputClosed = ExitStatus.signal(13)

  /// What a process has that this signal ended.
  static func signal(_ number: Int32) -> ExitStatus {
    ExitStatus(rawValue: 128 + number)
  }
}
