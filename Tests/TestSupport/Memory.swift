internal import Foundation

/// What the process keeps in memory.
package enum Memory {
  /// In bytes, nil where the system does not say it in a file.
  package static var residentBytes: Int? {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ")
    return fields.flatMap { Int($0[1]) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }

  /// The same, once the allocator has given back what nothing uses.
  package static var trimmedBytes: Int? {
    _ = giveBack?(0)
    return residentBytes
  }

  /// The C library's `malloc_trim`, where it has one; no module declares it.
  private static let giveBack = dlsym(nil, "malloc_trim").map {
    unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
  }
}
