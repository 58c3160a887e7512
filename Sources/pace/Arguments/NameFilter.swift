/// Which files of a directory do not count when they change, by their names.
struct NameFilter: Equatable, Sendable {
  /// Whether hidden files and editors' backups count.
  let includesHidden: Bool

  /// Names that do not count, with `*` for any characters and `?` for any one.
  let patterns: [[UInt8]]

  /// Makes a filter; the patterns are separated by commas.
  init(ignoring patterns: String = "", includesHidden: Bool = false) {
    self.patterns = patterns.utf8.split(separator: UInt8(ascii: ",")).map(Array.init)
    self.includesHidden = includesHidden
  }

  /// Whether a file of this name does not count, nor what is below it.
  func ignores(_ name: [UInt8]) -> Bool {
    if !includesHidden {
      let isBackup = name.last == UInt8(ascii: "~")
      if isBackup || name.first == UInt8(ascii: ".") { return true }
    }
    return patterns.contains { Self.matches(name[...], $0[...]) }
  }

  /// Whether the pattern describes the name.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var (name, pattern) = (name, pattern)
    // The rest of both at the last star: it takes one byte more each time that the rest fails.
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
