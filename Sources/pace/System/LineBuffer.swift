#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Bytes that were read, divided into lines.
///
/// A line ends with its newline, which belongs to it. Everything else is content, including zero
/// bytes and invalid UTF-8.
struct LineBuffer {
  /// Bytes before `start` have been taken; there is no newline from there to `searched`.
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0

  /// The number of bytes that have not been taken.
  var count: Int { bytes.count - start }

  /// The number of bytes that may be read if `lines` more lines may, at least one.
  ///
  /// A line has at least one byte, so no more lines come than that. A line of more than 4096 bytes
  /// may be overrun by its own length.
  func room(for lines: Int) -> Int {
    min(max(lines, count >= 4_096 ? count : 1), 1 << 20)
  }

  /// Adds bytes at the end.
  mutating func append(_ chunk: [UInt8]) {
    if start == bytes.count {
      (bytes, start, searched) = (chunk, 0, 0)
      return
    }
    bytes.removeFirst(start)
    searched -= start
    start = 0
    bytes += chunk
  }

  /// Takes the first `limit` lines, or as many as there are.
  ///
  /// - Returns: Their bytes and their number; both are empty if there is no whole line.
  mutating func takeLines(atMost limit: Int) -> (bytes: ArraySlice<UInt8>, count: Int) {
    var (end, found) = (start, 0)
    while found < limit {
      guard let newline = newline(from: searched) else {
        searched = bytes.count
        break
      }
      end = newline + 1
      searched = end
      found += 1
    }
    defer { start = end }
    return (bytes[start..<end], found)
  }

  /// Takes everything, including a last line without a newline.
  mutating func takeAll() -> ArraySlice<UInt8> {
    defer { (start, searched) = (bytes.count, bytes.count) }
    return bytes[start...]
  }

  /// The C library compares many bytes in one step, even in an unoptimised build.
  private func newline(from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count else { return nil }
      let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      return found.map { base.distance(to: UnsafeRawPointer($0)) }
    }
  }
}
