import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A command that runs beside this process, with its input, its outputs and its terminal.
///
/// ## Concurrency
/// Thread-safe. A signal is only ever sent to this child: its number is not free for another one
/// before `wait()` has put an end to sending.
final class ChildProcess: Sendable {
  private let number: pid_t
  private let isRunning = Mutex(true)

  /// Starts the command, found along PATH.
  ///
  /// - Parameters:
  ///   - command: its words, byte for byte; at least one.
  ///   - signals: what this process did to its signals, which the child does not inherit.
  /// - Throws: an error with the shell's status: 127 where there is no such command, 126 where it
  ///   cannot be executed.
  init(_ command: [[UInt8]], signals: Signals) throws(CommandError) {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (mask, changed) = (signals.originalMask, signals.changed)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setsigdefault(&attributes, &changed)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var words: [UnsafeMutablePointer<CChar>?] = command.map { word in
      (word + [0]).withUnsafeBytes { strdup($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }
    words.append(nil)
    defer { for word in words { free(word) } }
    var number: pid_t = 0
    let result = posix_spawnp(&number, words[0]!, nil, &attributes, words, environ)
    guard result == 0 else {
      let error = SystemError(number: result)
      throw CommandError(
        "cannot run \(String(decoding: command[0], as: UTF8.self).quoted): \(error)",
        status: error.isNotFound ? .notFound : .notExecutable)
    }
    self.number = number
  }

  /// Sends the signal, if the command still runs.
  func send(_ signal: Int32) {
    isRunning.withLock { isRunning in
      if isRunning { kill(number, signal) }
    }
  }

  /// Waits, on this thread, until the command has ended.
  ///
  /// - Returns: its exit status, 128 + n where signal n ended it.
  func wait() -> ExitStatus {
    // The first call leaves the number taken, so that `send` cannot hit a newer process.
    var information = siginfo_t()
    while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    isRunning.withLock { $0 = false }
    var status: Int32 = 0
    while waitpid(number, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? ExitStatus(rawValue: (status >> 8) & 0xFF) : .signal(signal)
  }
}
