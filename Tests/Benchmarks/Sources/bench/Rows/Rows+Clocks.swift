import Foundation
import Pacing

extension Rows {
  static var clocks: [Row] {
    [
      Row(clockRead, count: 20_000) { count in
        var time = timespec()
        var sum = 0
        for _ in 0..<count {
          clock_gettime(CLOCK_MONOTONIC, &time)
          sum &+= time.tv_nsec
        }
        consume(sum)
      },
      Row("ContinuousClock.now", count: 20_000) { count in
        for _ in 0..<count { consume(ContinuousClock.now) }
      },
    ]
  }
}
