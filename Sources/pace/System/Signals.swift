#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The signals that ask the process to stop, received one at a time by a thread that waits.
///
/// They are blocked in every thread: no code runs inside a signal handler. A child gets the
/// original settings.
struct Signals: Sendable {
  /// A request to stop.
  struct Request: Sendable {
    let signal: Int32

    /// Whether the terminal sent it, to every process of the foreground group including children.
    let isFromTerminal: Bool
  }

  /// The signals to receive.
  private let awaited: sigset_t

  /// The signals that were blocked at the start.
  let originalMask: sigset_t

  /// The signals that were not ignored at the start and are now blocked or ignored.
  let changed: sigset_t

  /// The signals that were ignored at the start and are now received.
  private let ignored: [Int32]

  /// Blocks the signals; called before the process has a second thread.
  ///
  /// SIGINT and SIGTERM are received even if the parent ignores them, as a shell does for
  /// background commands of a script: a signal that is sent is meant. SIGHUP stays ignored if it
  /// was, as `nohup` requests.
  init() {
    var awaited = sigset_t()
    var changed = sigset_t()
    var ignored = [Int32]()
    sigemptyset(&awaited)
    sigemptyset(&changed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let wasIgnored = Self.isIgnoring(signal(number, SIG_DFL))
      if wasIgnored, number == SIGHUP {
        signal(number, SIG_IGN)
      } else {
        sigaddset(&awaited, number)
        if wasIgnored { ignored.append(number) } else { sigaddset(&changed, number) }
      }
    }
    // If the parent ignores it, the system discards the status of a child.
    signal(SIGCHLD, SIG_DFL)
    if !Self.isIgnoring(signal(SIGPIPE, SIG_IGN)) {
      sigaddset(&changed, SIGPIPE)
    }
    var original = sigset_t()
    pthread_sigmask(SIG_BLOCK, &awaited, &original)
    (self.awaited, originalMask, self.changed) = (awaited, original, changed)
    self.ignored = ignored
  }

  /// Starts a child while the signals that were ignored at the start are so again.
  ///
  /// A child cannot be told to ignore a signal: it inherits that. Such a signal may get lost if it
  /// comes at this moment.
  func asAtStart<Result>(_ start: () -> Result) -> Result {
    for number in ignored { signal(number, SIG_IGN) }
    defer { for number in ignored { signal(number, SIG_DFL) } }
    return start()
  }

  /// Functions cannot be compared; SIG_IGN is a number in place of a pointer.
  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Whether a signal is one that the terminal sends to its foreground group, and this process is a
  /// member of it.
  ///
  /// True also for an interrupt from elsewhere, which then reaches no child: a child that gets it
  /// twice may treat the second one as a demand to end at once.
  static func mayBeFromTerminal(_ signal: Int32, foreground: pid_t, own: pid_t) -> Bool {
    signal == SIGINT && foreground == own
  }

  /// Waits for the next request.
  func next() -> Request {
    var awaited = awaited
    while true {
      #if canImport(Darwin)
        var number: Int32 = 0
        guard sigwait(&awaited, &number) == 0 else { continue }
        // The system does not say where a signal comes from.
        let isFromTerminal = Self.mayBeFromTerminal(
          number, foreground: tcgetpgrp(STDERR_FILENO), own: getpgrp())
        return Request(signal: number, isFromTerminal: isFromTerminal)
      #else
        var information = siginfo_t()
        let number = sigwaitinfo(&awaited, &information)
        guard number > 0 else { continue }
        return Request(signal: number, isFromTerminal: information.si_code > 0)
      #endif
    }
  }
}
