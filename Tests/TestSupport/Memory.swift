internal import Foundation

/// The memory of the process.
package enum Memory {
  /// The resident size in bytes; nil if the system has no `/proc`.
  package static var residentBytes: Int? {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ")
    return fields.flatMap { Int($0[1]) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }

  /// The resident size after the allocator has returned its unused memory.
  package static var trimmedBytes: Int? {
    _ = giveBack?(0)
    return residentBytes
  }

  /// The C library's `malloc_trim`, if it has one; no module declares it.
  private static let giveBack = dlsym(nil, "malloc_trim").map {
    unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
  }
}
