import Foundation

/// A reading of the monotonic clock.
struct Moment {
  private let nanoseconds: Int64

  static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// The nanoseconds since then.
  var elapsed: Double { Double(Moment.now.nanoseconds - nanoseconds) }
}

/// Keeps the compiler from leaving out what produces the value.
@inline(never)
func consume<Value>(_ value: Value) {}
