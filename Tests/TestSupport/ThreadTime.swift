internal import Foundation

#if canImport(SwiftOverlayShims)
  // The compiler attributes `timespec` to the first module of the two that it meets.
  internal import SwiftOverlayShims
#endif

/// The CPU time of the calling thread, unaffected by other load on the machine.
package enum ThreadTime {
  package static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  package static func measure(_ body: () -> Void) -> Duration {
    let start = now
    body()
    return now - start
  }

  /// The least of three measurements: whatever else takes the caches makes one longer.
  package static func least(_ body: () -> Void) -> Duration {
    (0..<3).map { _ in measure(body) }.min()!
  }
}
