#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The signals that ask the process to stop, taken one at a time by a thread that waits for them.
///
/// They are blocked everywhere else, so that no code ever runs inside a signal handler. A child
/// gets back what this process changed for itself.
struct Signals: Sendable {
  /// A request to stop.
  struct Request: Sendable {
    let signal: Int32

    /// Whether the terminal sent it: to every process in its foreground, children included.
    let isFromTerminal: Bool
  }

  /// The signals that wait to be taken.
  private let awaited: sigset_t

  /// What was blocked before.
  let originalMask: sigset_t

  /// What was not ignored before, and is now blocked or ignored.
  let changed: sigset_t

  /// Takes the signals over: the first thing that a process does, while it has one thread.
  ///
  /// SIGINT and SIGTERM are taken even where the parent ignores them, as a shell does for what a
  /// script puts into the background: someone who sends one wants an end. SIGHUP is left ignored
  /// where it is, for that is what `nohup` asks for.
  init() {
    var awaited = sigset_t()
    var changed = sigset_t()
    sigemptyset(&awaited)
    sigemptyset(&changed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let wasIgnored = Self.isIgnoring(signal(number, SIG_DFL))
      if wasIgnored, number == SIGHUP {
        signal(number, SIG_IGN)
      } else {
        sigaddset(&awaited, number)
        sigaddset(&changed, number)
      }
    }
    // Where the parent ignores it, the system forgets how a child has ended.
    signal(SIGCHLD, SIG_DFL)
    if !Self.isIgnoring(signal(SIGPIPE, SIG_IGN)) {
      sigaddset(&changed, SIGPIPE)
    }
    var original = sigset_t()
    pthread_sigmask(SIG_BLOCK, &awaited, &original)
    (self.awaited, originalMask, self.changed) = (awaited, original, changed)
  }

  /// Functions cannot be compared; the one that ignores a signal is a number in a pointer's place.
  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Waits for the next request.
  func next() -> Request {
    var awaited = awaited
    while true {
      #if canImport(Darwin)
        var number: Int32 = 0
        guard sigwait(&awaited, &number) == 0 else { continue }
        return Request(signal: number, isFromTerminal: false)
      #else
        var information = siginfo_t()
        let number = sigwaitinfo(&awaited, &information)
        guard number > 0 else { continue }
        return Request(signal: number, isFromTerminal: information.si_code > 0)
      #endif
    }
  }
}
