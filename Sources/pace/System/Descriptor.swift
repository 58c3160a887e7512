#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file, by its number: the few system calls that the tool makes on one.
struct Descriptor: Hashable, Sendable {
  let number: Int32

  static let standardInput = Descriptor(number: 0)
  static let standardOutput = Descriptor(number: 1)
  static let standardError = Descriptor(number: 2)

  /// Puts something unusable in the place of standard descriptors that are closed.
  ///
  /// Else the first pipe would get such a number, and lines would be written into it. What takes
  /// the place fails in the same way: it cannot be read, or cannot be written.
  static func reserveStandardNumbers() {
    for descriptor in [standardInput, standardOutput, standardError]
    where fcntl(descriptor.number, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == standardInput ? O_WRONLY : O_RDONLY)
    }
  }

  /// A pipe that no child inherits.
  static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
    var numbers: [Int32] = [-1, -1]
    let result = systemPipe(&numbers)
    guard result == 0 else { throw .last }
    for number in numbers {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }
    return (Descriptor(number: numbers[0]), Descriptor(number: numbers[1]))
  }

  /// Closes it, so that the other end of a pipe sees the end.
  func end() {
    _ = close(number)
  }

  /// Reads what is there, at most `count` bytes; nothing is the end.
  func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = systemRead(number, buffer.baseAddress, count)
      filled = max(0, result)
    }
    guard result >= 0 else { throw .last }
    return bytes
  }

  /// Writes all the bytes, however many calls it takes.
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

// The system's names for these are the type's own as well, and hidden by them inside it.

private func systemPipe(_ numbers: inout [Int32]) -> Int32 {
  pipe(&numbers)
}

private func systemRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(number, bytes, count)
}

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(number, bytes, count)
}
