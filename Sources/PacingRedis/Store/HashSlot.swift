/// The hash slot of a key in a cluster: the CRC-16 of its hash tag.
enum HashSlot {
  static let count = 16_384

  /// The slot of a key.
  static func slot(of key: String) -> Int {
    var crc: UInt16 = 0
    for byte in tag(of: key.utf8) {
      crc ^= UInt16(byte) << 8
      for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
    }
    return Int(crc) % count
  }

  /// The text between the first opening brace and the next closing one; the whole key if there is
  /// none or it is empty.
  private static func tag(of key: String.UTF8View) -> Substring.UTF8View {
    guard let open = key.firstIndex(of: UInt8(ascii: "{")) else { return key[...] }
    let tail = key[key.index(after: open)...]
    guard let close = tail.firstIndex(of: UInt8(ascii: "}")), close != tail.startIndex else {
      return key[...]
    }
    return tail[..<close]
  }
}
