#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads replies of the protocol RESP from a socket, which blocks its thread.
struct RedisReader {
  private let socket: Int32
  private var bytes = [UInt8]()
  private var index = 0

  init(_ socket: Int32) {
    self.socket = socket
  }

  /// The next reply, nil at the end of the connection or after what is none.
  mutating func next() -> RedisConnection.Value? {
    guard let line = line(), let kind = line.first else { return nil }
    let text = String(decoding: line.dropFirst(), as: UTF8.self)
    switch kind {
    case UInt8(ascii: "+"): return .text(text)
    case UInt8(ascii: "-"): return .failure(text)
    case UInt8(ascii: ":"): return Int64(text).map { .integer($0) }
    case UInt8(ascii: "$"):
      guard let count = Int(text) else { return nil }
      guard count >= 0 else { return .null }
      return take(count + 2).map { .text(String(decoding: $0.dropLast(2), as: UTF8.self)) }
    case UInt8(ascii: "*"):
      guard let count = Int(text) else { return nil }
      guard count >= 0 else { return .null }
      var values = [RedisConnection.Value]()
      for _ in 0..<count {
        guard let value = next() else { return nil }
        values.append(value)
      }
      return .list(values)
    default: return nil
    }
  }

  private mutating func line() -> ArraySlice<UInt8>? {
    var searched = index
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { index = end + 1 }
        return bytes[index..<max(index, end - 1)]
      }
      searched = bytes.count
      let before = index
      guard fill() else { return nil }
      searched -= before - index
    }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    while bytes.count - index < count {
      guard fill() else { return nil }
    }
    defer { index += count }
    return bytes[index..<index + count]
  }

  /// Reads more; false at the end.
  private mutating func fill() -> Bool {
    if index > 0 {
      bytes.removeFirst(index)
      index = 0
    }
    var count = 0
    repeat {
      let room = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, filled in
        count = receive(socket, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      bytes += room
    } while count < 0 && errno == EINTR
    return count > 0
  }
}

private func receive(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  recv(number, bytes, count, 0)
}
