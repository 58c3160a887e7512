#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
#if canImport(SwiftOverlayShims)
  // The compiler takes `timespec` to come from here or from the C library, whichever it has met
  // first.
  import SwiftOverlayShims
#endif

/// What the library asks of the system itself.
enum Platform {
  /// The instant on the monotonic clock that Dispatch's timers follow: it stops during sleep.
  ///
  /// One call of the system's work, and the larger part of what a hot path costs.
  @inline(__always)
  static var now: PacingInstant {
    #if canImport(Darwin)
      // CLOCK_MONOTONIC counts sleep there, DispatchTime does not.
      return PacingInstant(nanoseconds: Nanoseconds(clock_gettime_nsec_np(CLOCK_UPTIME_RAW)))
    #else
      return PacingInstant(nanoseconds: read(CLOCK_MONOTONIC))
    #endif
  }

  /// The instant on the monotonic clock that goes on while the system sleeps.
  static var nowCountingSleep: PacingInstant {
    #if canImport(Darwin)
      return PacingInstant(nanoseconds: Nanoseconds(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)))
    #else
      return PacingInstant(nanoseconds: read(CLOCK_BOOTTIME))
    #endif
  }

  /// The instant of the system's last tick: one that `now` has shown already, and cheap to read.
  @inline(__always)
  static var lastTick: PacingInstant {
    #if canImport(Darwin)
      return PacingInstant(nanoseconds: Nanoseconds(clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX)))
    #else
      return PacingInstant(nanoseconds: read(CLOCK_MONOTONIC_COARSE))
    #endif
  }

  /// How far apart the system's ticks are.
  static var tickLength: Nanoseconds {
    #if canImport(Darwin)
      // Apple says no more than that it is approximate.
      return 10_000_000
    #else
      var time = timespec()
      clock_getres(CLOCK_MONOTONIC_COARSE, &time)
      return Nanoseconds(time)
    #endif
  }

  /// What the wall clock shows, since 1970 UTC.
  static var wallTime: Nanoseconds { read(CLOCK_REALTIME) }

  @inline(__always)
  private static func read(_ clock: clockid_t) -> Nanoseconds {
    var time = timespec()
    clock_gettime(clock, &time)
    return Nanoseconds(time)
  }

  /// How many processors the system has online, at least one.
  static var processorCount: Int { Swift.max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

extension Nanoseconds {
  @inline(__always)
  fileprivate init(_ time: timespec) {
    self = Nanoseconds(time.tv_sec) &* 1_000_000_000 &+ Nanoseconds(time.tv_nsec)
  }
}
