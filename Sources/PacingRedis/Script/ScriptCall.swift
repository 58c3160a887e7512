/// One call of the library's script, for a Redis or Valkey client to make.
///
/// Use the client's own commands for scripts, or send the words:
///
/// ```swift
/// let store = RedisStore { call in
///   try await client.send(call.command, call.words)
/// }
/// ```
public struct ScriptCall: Hashable, Sendable {
  /// How a call refers to the script.
  public enum Script: Hashable, Sendable {
    /// By its SHA-1, for a server that has it cached.
    case digest(String)
    /// By its source, for a server that does not.
    case source(String)
  }

  /// The script.
  public let script: Script

  /// The keys that the script reads and writes.
  public let keys: [String]

  /// The arguments after the keys, all whole numbers.
  public let arguments: [String]

  /// Creates a call, to test an adapter to a client.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - keys: The keys that the script reads and writes.
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
