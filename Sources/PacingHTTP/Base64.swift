/// Base64 (RFC 4648), for partition keys.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: [UInt8]) -> String {
    var text = [UInt8]()
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * (4 - group.count))
      for position in 0..<4 {
        let letter = alphabet[Int(bits >> 26)]
        text.append(position <= group.count ? letter : UInt8(ascii: "="))
        bits <<= 6
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The decoded bytes; nil if the text has a character outside the alphabet.
  ///
  /// Padding may be missing and its bits may be set, as RFC 9651 recommends for parsers.
  static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes = [UInt8]()
    var bits: UInt32 = 0
    var count = 0
    var isPadded = false
    for letter in text {
      if letter == UInt8(ascii: "=") {
        isPadded = true
        continue
      }
      guard !isPadded, let value = value(of: letter) else { return nil }
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  private static func value(of letter: UInt8) -> UInt32? {
    alphabet.firstIndex(of: letter).map(UInt32.init)
  }
}
