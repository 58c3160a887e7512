/// The path of a file, as bytes of any encoding.
struct Path: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The path of an entry of this directory.
  func appending(_ name: [UInt8]) -> Path {
    Path(bytes + (bytes.last == Self.slash ? [] : [Self.slash]) + name)
  }

  /// The directory that contains it, and its name there; nil for `/`, `.` and `..`.
  var entry: (directory: Path, name: [UInt8])? {
    let trimmed = bytes.dropLast(bytes.reversed().prefix { $0 == Self.slash }.count)
    let name = Array(trimmed.reversed().prefix { $0 != Self.slash }.reversed())
    guard !name.isEmpty, name != [Self.dot], name != [Self.dot, Self.dot] else { return nil }
    let directory = Array(trimmed.dropLast(name.count))
    return (directory.isEmpty ? Path(".") : Path(directory), name)
  }

  /// Whether it is the directory or something below it.
  func isWithin(_ directory: Path) -> Bool {
    self == directory || bytes.starts(with: directory.appending([]).bytes)
  }

  /// The path as text, for messages.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")
}
