/// The names of files whose changes do not count.
struct NameFilter: Equatable, Sendable {
  /// Whether hidden files and editors' backups count.
  let includesHidden: Bool

  /// Patterns of ignored names: `*` matches any characters, `?` any one.
  let patterns: [[UInt8]]

  /// Creates a filter; the patterns are separated by commas.
  init(ignoring patterns: [UInt8] = [], includesHidden: Bool = false) {
    self.patterns = patterns.split(separator: UInt8(ascii: ",")).map(Array.init)
    self.includesHidden = includesHidden
  }

  /// Whether the file with this name is ignored, with everything below it.
  func ignores(_ name: [UInt8]) -> Bool {
    if !includesHidden {
      let isBackup = name.last == UInt8(ascii: "~")
      if isBackup || name.first == UInt8(ascii: ".") { return true }
    }
    return patterns.contains { Self.matches(name[...], $0[...]) }
  }

  /// Whether the pattern matches the name.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var (name, pattern) = (name, pattern)
    // The rests of both at the last star, which takes one more byte each time the rest fails.
    var retry: (name: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
    while let byte = name.first {
      if pattern.first == UInt8(ascii: "*") {
        pattern.removeFirst()
        retry = (name, pattern)
      } else if let expected = pattern.first, expected == byte || expected == UInt8(ascii: "?") {
        name.removeFirst()
        pattern.removeFirst()
      } else if let last = retry {
        name = last.name.dropFirst()
        pattern = last.pattern
        retry = (name, pattern)
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
