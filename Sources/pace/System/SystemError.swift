#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The error of a system call: the number in `errno`, and its message.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  let number: Int32

  /// The error of this thread's last call.
  static var last: SystemError {
    SystemError(number: errno)
  }

  /// Whether a signal interrupted the call, which should be repeated.
  var isInterruption: Bool { number == EINTR }

  /// Whether there is nothing to read, or no room to write, at present.
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
