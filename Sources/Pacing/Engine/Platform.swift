#if canImport(Darwin)
  import Darwin
  import ObjectiveC
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
#if canImport(SwiftOverlayShims)
  // The compiler attributes `timespec` to this module or to the C library, whichever it meets
  // first.
  import SwiftOverlayShims
#endif

/// The library's calls of the system.
enum Platform {
  #if canImport(Darwin)
    // CLOCK_MONOTONIC counts sleep there, DispatchTime does not.
    private static var clocks: (now: clockid_t, countingSleep: clockid_t, lastTick: clockid_t) {
      @inline(__always) get { (CLOCK_UPTIME_RAW, CLOCK_MONOTONIC_RAW, CLOCK_UPTIME_RAW_APPROX) }
    }
  #else
    private static var clocks: (now: clockid_t, countingSleep: clockid_t, lastTick: clockid_t) {
      @inline(__always) get { (CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_MONOTONIC_COARSE) }
    }
  #endif

  /// The instant on the monotonic clock that Dispatch's timers follow; it stops during sleep.
  ///
  /// Reading it is most of the cost of a hot path.
  @inline(__always)
  static var now: PacingInstant { PacingInstant(nanoseconds: reading(of: clocks.now)) }

  /// The instant on the monotonic clock that continues while the system sleeps.
  static var nowCountingSleep: PacingInstant {
    PacingInstant(nanoseconds: reading(of: clocks.countingSleep))
  }

  /// The instant of the system's last tick: at or before `now`, and cheap to read.
  @inline(__always)
  static var lastTick: PacingInstant { PacingInstant(nanoseconds: reading(of: clocks.lastTick)) }

  static var tickLength: Nanoseconds {
    #if canImport(Darwin)
      // Apple documents only that it is approximate.
      return 10_000_000
    #else
      var time = timespec()
      unsafe clock_getres(clocks.lastTick, &time)
      return Nanoseconds(time)
    #endif
  }

  /// The wall time since 1970-01-01 UTC.
  static var wallTime: Nanoseconds { reading(of: CLOCK_REALTIME) }

  @inline(__always)
  private static func reading(of clock: clockid_t) -> Nanoseconds {
    #if canImport(Darwin)
      return Nanoseconds(clock_gettime_nsec_np(clock))
    #else
      var time = timespec()
      unsafe clock_gettime(clock, &time)
      return Nanoseconds(time)
    #endif
  }

  /// How many processors the process may keep busy, at least one.
  static var processorCount: Int {
    Processors.count(online: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), text: text)
  }

  /// Starts a detached thread that runs `body`; returns whether the system has made it.
  static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      unsafe pthread_attr_set_qos_class_np(&attributes, QOS_CLASS_USER_INITIATED, 0)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let argument = unsafe Unmanaged.passRetained(ThreadBody(run: body))
    let isMade = unsafe pthread_create(&thread, &attributes, threadMain, argument.toOpaque()) == 0
    if !isMade { unsafe argument.release() }
    return isMade
  }

  /// Releases what Objective-C keeps for the end of the thread, as a Dispatch queue does.
  @inline(__always)
  static func withAutoreleasePool(_ body: () -> Void) {
    #if canImport(Darwin)
      autoreleasepool(invoking: body)
    #else
      body()
    #endif
  }

  /// Leaves the process's signals to its own threads; those of a crash stay with the thread.
  fileprivate static func blockSignals() {
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] {
      unsafe sigdelset(&signals, crash)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static func text(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // The system writes each of the files that are read in one piece, which is shorter.
    var text = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe read(descriptor, &text, text.count)
    return count < 0 ? nil : String(decoding: text.prefix(count), as: UTF8.self)
  }
}

/// What a thread runs, in an object that the system's call can carry.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

#if canImport(Darwin)
  private func threadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe runThread(argument)
    return nil
  }
#elseif canImport(Android)
  private func threadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    unsafe runThread(argument)
    return unsafe argument
  }
#else
  private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe argument.map(runThread)
    return nil
  }
#endif

private func runThread(_ argument: UnsafeMutableRawPointer) {
  Platform.blockSignals()
  unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
}

extension Nanoseconds {
  @inline(__always)
  fileprivate init(_ time: timespec) {
    self = Nanoseconds(time.tv_sec) &* 1_000_000_000 &+ Nanoseconds(time.tv_nsec)
  }
}
