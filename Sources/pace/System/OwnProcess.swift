#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The process that this program runs in.
enum OwnProcess {
  /// The words of its command line, the program's own name first, byte for byte.
  ///
  /// `CommandLine.arguments` repairs what is not UTF-8; a command would get another file's name.
  static var words: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map { word in
        (0..<strlen(word)).map { UInt8(bitPattern: word[$0]) }
      }
    }
  }

  /// The value of an environment variable, nil where it is not set.
  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Does nothing on this thread for a while, as work would that cannot be interrupted.
  static func block(for duration: Duration) {
    usleep(UInt32(duration / .microseconds(1)))
  }

  /// Ends the process at once.
  ///
  /// Nothing is buffered here, and threads that still wait must not be disturbed on the way out.
  static func end(with status: ExitStatus) -> Never {
    _exit(status.rawValue)
  }
}
