#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file descriptor, with the few system calls that the tool needs.
struct Descriptor: Hashable, Sendable {
  let number: Int32

  static let standardInput = Descriptor(number: 0)
  static let standardOutput = Descriptor(number: 1)
  static let standardError = Descriptor(number: 2)

  /// Replaces closed standard descriptors by unusable ones.
  ///
  /// Otherwise the first pipe would get such a number, and lines would be written into it. The
  /// replacement fails in the same way: it cannot be read, or cannot be written.
  static func reserveStandardNumbers() {
    for descriptor in [standardInput, standardOutput, standardError]
    where fcntl(descriptor.number, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == standardInput ? O_WRONLY : O_RDONLY)
    }
  }

  /// Creates a pipe that children do not inherit.
  static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
    var numbers: [Int32] = [-1, -1]
    let result = systemPipe(&numbers)
    guard result == 0 else { throw .last }
    for number in numbers {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }
    return (Descriptor(number: numbers[0]), Descriptor(number: numbers[1]))
  }

  /// Whether it is a terminal.
  var isTerminal: Bool { isatty(number) == 1 }

  /// Whether it is a pipe.
  var isPipe: Bool {
    var information = stat()
    return fstat(number, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO
  }

  /// Closes it; the other end of a pipe sees the end.
  func end() {
    _ = close(number)
  }

  /// Reads the available bytes, at most `count`; none at the end.
  func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = systemRead(number, buffer.baseAddress, count)
      filled = max(0, result)
    }
    guard result >= 0 else { throw .last }
    return bytes
  }

  /// Writes all bytes, in as many calls as necessary.
  func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let result = rest.withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
      if result >= 0 {
        rest = rest.dropFirst(result)
        continue
      }
      let error = SystemError.last
      if error.isNotReady {
        _ = try Self.wait(for: [(self, .writing)])
      } else if !error.isInterruption {
        throw error
      }
    }
  }
}

// The type's own functions hide the system's.

private func systemPipe(_ numbers: inout [Int32]) -> Int32 {
  pipe(&numbers)
}

private func systemRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(number, bytes, count)
}

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(number, bytes, count)
}
