/// A command to run, and the conditions under which it runs.
struct ChildCommand: Sendable {
  /// Its words, byte for byte; at least one.
  var words: [[UInt8]]

  /// Environment variables that it has in addition to those of this process.
  var environment: [String: [UInt8]] = [:]

  /// Whether it gets a process group of its own, so that a signal reaches its children too.
  ///
  /// Such a group may not read from the terminal: its standard input is empty.
  var hasOwnGroup = false
}
