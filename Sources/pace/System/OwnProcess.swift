#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The process that this program runs in.
enum OwnProcess {
  /// The words of its command line, the program's name first, byte for byte.
  ///
  /// `CommandLine.arguments` replaces invalid UTF-8: a command would get the name of another file.
  static var words: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map { word in
        (0..<strlen(word)).map { UInt8(bitPattern: word[$0]) }
      }
    }
  }

  /// The environment as the system has it, NAME=value, with other values for some names.
  static func environment(adding variables: [String: [UInt8]]) -> [[UInt8]] {
    var entries = [[UInt8]]()
    var next = environ
    while let entry = next.pointee {
      entries.append((0..<strlen(entry)).map { UInt8(bitPattern: entry[$0]) })
      next += 1
    }
    for (name, value) in variables {
      let start = Array("\(name)=".utf8)
      entries.removeAll { $0.starts(with: start) }
      entries.append(start + value)
    }
    return entries
  }

  /// The value of an environment variable, or nil if it is not set.
  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Blocks this thread, as work that cannot be interrupted would.
  static func block(for duration: Duration) {
    usleep(UInt32(duration / .microseconds(1)))
  }

  /// Ends the process at once.
  ///
  /// Nothing is buffered, and threads that still wait must not be disturbed.
  static func end(with status: ExitStatus) -> Never {
    _exit(status.rawValue)
  }
}
