#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The system's monotonic clock, the one that Dispatch's timers follow: it stops during sleep.
enum MonotonicTime {
  /// The current instant: one system call's work, four fifths of what a hot path costs.
  @inline(__always)
  static var now: PacingInstant {
    #if canImport(Darwin)
      // CLOCK_MONOTONIC counts sleep there, DispatchTime does not.
      return PacingInstant(nanoseconds: Nanoseconds(clock_gettime_nsec_np(CLOCK_UPTIME_RAW)))
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      let seconds = Nanoseconds(time.tv_sec)
      return PacingInstant(nanoseconds: seconds &* 1_000_000_000 &+ Nanoseconds(time.tv_nsec))
    #endif
  }
}
