import Foundation

/// A reading of the monotonic clock.
struct Moment {
  let nanoseconds: Int64

  static var now: Moment { read(CLOCK_MONOTONIC) }

  /// The time that the process has spent on processors.
  static var processorTime: Moment { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// The time that this thread has spent on a processor.
  static var threadTime: Moment { read(CLOCK_THREAD_CPUTIME_ID) }

  /// The nanoseconds from another reading of the same clock to this one.
  func since(_ other: Moment) -> Double { Double(nanoseconds - other.nanoseconds) }

  private static func read(_ clock: clockid_t) -> Moment {
    var time = timespec()
    clock_gettime(clock, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// The nanoseconds since then.
  var elapsed: Double { Moment.now.since(self) }
}

/// Keeps the compiler from leaving out what produces the value.
@inline(never)
func consume<Value>(_ value: Value) {}
