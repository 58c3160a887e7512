#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads replies of the protocol RESP from a socket, which blocks its thread.
///
/// What a server sends is bounded: a reply in its length, and in how deep its lists nest.
struct RedisReader {
  private static let maximumLength = 1 << 20
  private static let maximumDepth = 8

  private let socket: Int32
  private var bytes = [UInt8]()
  private var index = 0
  /// How many more bytes the reply may have.
  private var room = 0

  init(_ socket: Int32) {
    self.socket = socket
  }

  /// The next reply, nil at the end of the connection or after what is none.
  mutating func next() -> RedisConnection.Value? {
    room = Self.maximumLength
    return value(depth: 0)
  }

  private mutating func value(depth: Int) -> RedisConnection.Value? {
    guard depth <= Self.maximumDepth, let line = line(), let kind = line.first else { return nil }
    let text = String(decoding: line.dropFirst(), as: UTF8.self)
    switch kind {
    case UInt8(ascii: "+"): return .text(text)
    case UInt8(ascii: "-"): return .failure(text)
    case UInt8(ascii: ":"): return Int64(text).map { .integer($0) }
    case UInt8(ascii: "$"):
      guard let count = Int(text) else { return nil }
      guard count >= 0 else { return .null }
      return take(count).map { .text(String(decoding: $0, as: UTF8.self)) }
    case UInt8(ascii: "*"):
      guard let count = Int(text) else { return nil }
      guard count >= 0 else { return .null }
      var values = [RedisConnection.Value]()
      for _ in 0..<count {
        guard let value = value(depth: depth + 1) else { return nil }
        values.append(value)
      }
      return .list(values)
    default: return nil
    }
  }

  /// Takes what comes before the next end of a line.
  private mutating func line() -> ArraySlice<UInt8>? {
    var searched = index
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return take(end - 1 - index)
      }
      searched = bytes.count
      let before = index
      guard bytes.count - index < room, fill() else { return nil }
      searched -= before - index
    }
  }

  /// Takes bytes that an end of line follows.
  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= room - 2 else { return nil }
    while bytes.count - index < count + 2 {
      guard fill() else { return nil }
    }
    let end = index + count
    guard bytes[end] == UInt8(ascii: "\r"), bytes[end + 1] == UInt8(ascii: "\n") else {
      return nil
    }
    defer { index = end + 2 }
    room -= count + 2
    return bytes[index..<end]
  }

  /// Reads more; false at the end.
  private mutating func fill() -> Bool {
    if index > 0 {
      bytes.removeFirst(index)
      index = 0
    }
    var count = 0
    repeat {
      let part = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, filled in
        count = receive(socket, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      bytes += part
    } while count < 0 && errno == EINTR
    return count > 0
  }
}

private func receive(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  recv(number, bytes, count, 0)
}
