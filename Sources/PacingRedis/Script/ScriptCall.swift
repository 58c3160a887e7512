/// One call of the library's script, to be made by a client of Redis or Valkey.
///
/// A client has commands of its own for scripts, or sends the words:
///
/// ```swift
/// let store = RedisStore { call in
///   try await client.send(call.command, call.words)
/// }
/// ```
public struct ScriptCall: Hashable, Sendable {
  /// How the script is named.
  public enum Script: Hashable, Sendable {
    /// By its SHA-1, for a server that knows it.
    case digest(String)
    /// By its text, for a server that does not.
    case source(String)
  }

  /// The script.
  public let script: Script

  /// The keys that it reads and writes.
  public let keys: [String]

  /// The arguments after the keys, all of them whole numbers.
  public let arguments: [String]

  /// Makes a call, for a test of an adapter to a client.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - keys: The keys that it reads and writes.
  ///   - arguments: The arguments after the keys.
  public init(script: Script, keys: [String], arguments: [String]) {
    self.script = script
    self.keys = keys
    self.arguments = arguments
  }

  /// The command: `EVALSHA` or `EVAL`.
  public var command: String {
    switch script {
    case .digest: "EVALSHA"
    case .source: "EVAL"
    }
  }

  /// The words after the command, for a client that can send any command.
  public var words: [String] {
    switch script {
    case .digest(let text), .source(let text): [text, "\(keys.count)"] + keys + arguments
    }
  }
}
