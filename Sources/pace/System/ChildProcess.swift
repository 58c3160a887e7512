import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A running command, with the outputs and the terminal of this process.
///
/// ## Concurrency
/// Thread-safe. A signal reaches only this child and its group: the number is not reused before
/// `wait()` has stopped further signals.
final class ChildProcess: Sendable {
  /// Whether it has a process group of its own, which the terminal sends no signals to.
  let hasOwnGroup: Bool

  private let number: pid_t
  private let isRunning = Mutex(true)
  private let wasKilled = Mutex(false)

  /// Starts the command, found along PATH.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - signals: What this process changed about its signals; the child does not inherit it.
  /// - Throws: An error with the shell's status: 127 if the command does not exist, 126 if it
  ///   cannot be executed.
  init(_ command: ChildCommand, signals: Signals) throws(CommandError) {
    do throws(SystemError) {
      number = try Self.spawn(command, signals)
    } catch {
      throw CommandError(
        "cannot run \(String(decoding: command.words[0], as: UTF8.self).quoted): \(error)",
        status: error.isNotFound ? .notFound : .notExecutable)
    }
    hasOwnGroup = command.hasOwnGroup
  }

  private static func spawn(
    _ command: ChildCommand, _ signals: Signals
  ) throws(SystemError) -> pid_t {
    #if os(tvOS) || os(watchOS)
      // Built there only as a part of the whole package.
      throw SystemError(number: ENOTSUP)
    #else
      #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        var actions: posix_spawn_file_actions_t?
      #else
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
      #endif
      posix_spawnattr_init(&attributes)
      posix_spawn_file_actions_init(&actions)
      defer {
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
      }
      var (mask, changed) = (signals.originalMask, signals.changed)
      posix_spawnattr_setsigmask(&attributes, &mask)
      posix_spawnattr_setsigdefault(&attributes, &changed)
      var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
      if command.hasOwnGroup {
        flags |= POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      }
      posix_spawnattr_setflags(&attributes, Int16(flags))

      let words = copies(of: command.words)
      let variables = copies(of: OwnProcess.environment(adding: command.environment))
      defer { for pointer in words + variables { free(pointer) } }
      var number: pid_t = 0
      let result = signals.asAtStart {
        posix_spawnp(&number, words[0]!, &actions, &attributes, words, variables)
      }
      guard result == 0 else { throw SystemError(number: result) }
      return number
    #endif
  }

  /// Sends the signal to the command, or to what is left of its group, unless that has ended.
  func send(_ signal: Int32) {
    isRunning.withLock { isRunning in
      if isRunning { systemKill(hasOwnGroup ? -number : number, signal) }
    }
  }

  /// Asks the command to end.
  func terminate() {
    send(SIGTERM)
  }

  /// Ends a command, or what is left of its group, that has not ended by itself.
  func kill() {
    send(SIGKILL)
    wasKilled.withLock { $0 = true }
  }

  /// Waits, on this thread, until the command and all others of its own group have ended.
  ///
  /// - Returns: The command's exit status, 128 + n if signal n ended it.
  func wait() -> ExitStatus {
    // The first call leaves the number taken, so that `send` cannot reach a newer process.
    var information = siginfo_t()
    while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    let status = isRunning.withLock { isRunning in
      var status: Int32 = 0
      while waitpid(number, &status, 0) == -1, errno == EINTR {}
      isRunning = hasOwnGroup && groupExists()
      return status
    }
    awaitGroup()
    let signal = status & 0x7F
    return signal == 0 ? ExitStatus(rawValue: (status >> 8) & 0xFF) : .signal(signal)
  }

  /// Waits until the group has no more members: the system reports no end of those that are not
  /// children of this process.
  ///
  /// Killed ones remain members until their status is asked for, so that wait has a bound.
  private func awaitGroup() {
    let interval = Duration.milliseconds(20)
    var patience = 50
    while patience > 0, isRunning.withLock({ $0 }) {
      OwnProcess.block(for: interval)
      if wasKilled.withLock({ $0 }) { patience -= 1 }
      isRunning.withLock { $0 = groupExists() }
    }
    isRunning.withLock { $0 = false }
  }

  /// Whether a signal would reach any member of the group.
  private func groupExists() -> Bool {
    // The first process of a system inherits the children of those that ended.
    while waitpid(-number, nil, WNOHANG) > 0 {}
    return systemKill(-number, 0) == 0
  }

  /// The texts as the system expects them: each ends with a zero, the list with nil.
  private static func copies(of texts: [[UInt8]]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { text in
      (text + [0]).withUnsafeBytes { strdup($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    } + [nil]
  }
}

// The type's own function hides the system's.
@discardableResult
private func systemKill(_ number: pid_t, _ signal: Int32) -> Int32 {
  kill(number, signal)
}
