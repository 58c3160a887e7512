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

  /// The number of elements that a chunked array has reserved memory for after so many appends,
  /// whatever the allocator rounds it up to.
  package static func reserved(for count: Int) -> Int {
    guard count <= 1024 else { return (count + 1023) / 1024 * 1024 }
    return (2...10).lazy.map { 1 << $0 }.first { $0 >= count }!
  }

  /// The C library's `malloc_trim`, if it has one; no module declares it.
  private static let giveBack = dlsym(nil, "malloc_trim").map {
    unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
  }
}
