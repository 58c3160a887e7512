#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension [UInt8] {
  /// The place of the first newline from `start` on, nil where there is none.
  ///
  /// The C library looks at many bytes in one step, without optimisation too.
  func firstNewline(from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count else { return nil }
      let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      return found.map { base.distance(to: UnsafeRawPointer($0)) }
    }
  }
}
