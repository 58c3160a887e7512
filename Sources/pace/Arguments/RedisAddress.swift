/// Where a limit is that several processes share: a server and a name.
struct RedisAddress: Equatable {
  let host: String
  let port: Int
  let name: String

  /// Reads `redis://host:port/name`; the port may be missing.
  static func parse(_ text: String) throws(CommandError) -> RedisAddress {
    let failure = CommandError.usage("redis://<host>:<port>/<name> is needed, not \(text.quoted)")
    guard text.hasPrefix("redis://") else { throw failure }
    let parts = text.dropFirst("redis://".count)
      .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { throw failure }
    let place = parts[0].split(separator: ":", omittingEmptySubsequences: false)
    guard let host = place.first, !host.isEmpty, place.count <= 2 else { throw failure }
    guard let port = place.count == 2 ? Int(place[1]) : 6379, (1...65_535).contains(port) else {
      throw failure
    }
    return RedisAddress(host: String(host), port: port, name: String(parts[1]))
  }
}
