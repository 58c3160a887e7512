#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A system call's refusal: the number in `errno`, and its text.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  let number: Int32

  /// The refusal of the call that this thread made last.
  static var last: SystemError {
    SystemError(number: errno)
  }

  /// Whether the call was only disturbed by a signal and should be made again.
  var isInterruption: Bool { number == EINTR }

  /// Whether there is nothing to read, or no room to write, at this moment.
  var isNotReady: Bool { number == EAGAIN || number == EWOULDBLOCK }

  /// Whether the other end of a pipe or socket has been closed.
  var hasNoReader: Bool { number == EPIPE || number == ECONNRESET }

  /// Whether the descriptor itself is closed.
  var isClosed: Bool { number == EBADF }

  /// Whether there is no such file.
  var isNotFound: Bool { number == ENOENT || number == ENOTDIR }

  var description: String {
    String(cString: strerror(number))
  }
}
