import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import Pacing
import Synchronization

/// What a part found that is not as it should be.
struct Wrong: Error, CustomStringConvertible {
  let description: String
}

/// Throws if a condition does not hold.
func demand(
  _ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line
) throws {
  if !condition { throw Wrong(description: "\(message()) (line \(line))") }
}

/// A logger that prints what is worse than a warning.
func quietLogger() -> Logger {
  var logger = Logger(label: "services")
  logger.logLevel = .error
  return logger
}

/// Runs `body` with the address of a server on a free port of the loopback interface.
///
/// The server runs until the process ends. Stopped while a client connects, as the pool of a client
/// does even when no request waits any more, it would trap (apple/swift-nio#2813), and hide what a
/// part has found.
func withServer<Value>(
  _ router: Router<BasicRequestContext>, _ body: (String) async throws -> Value
) async throws -> Value {
  let (ports, port) = AsyncStream.makeStream(of: Int.self)
  let server = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
    logger: quietLogger())
  Task {
    defer { port.finish() }
    do { try await server.run() } catch { print("a server ended: \(error)") }
  }
  for await port in ports { return try await body("http://127.0.0.1:\(port)") }
  throw Wrong(description: "no server")
}

/// A response, read to its end.
struct Answer: Sendable {
  let status: Int
  let headers: [String: String]
  let text: String

  init(_ response: HTTPClientResponse) async throws {
    status = Int(response.status.code)
    headers = Dictionary(
      response.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    text = String(buffer: try await response.body.collect(upTo: 1 << 20))
  }

  subscript(name: String) -> String? { headers[name.lowercased()] }
}

/// Gets a page as a user.
func get(_ url: String, as user: String? = nil) async throws -> Answer {
  var request = HTTPClientRequest(url: url)
  if let user { request.headers.add(name: "X-User", value: user) }
  return try await Answer(HTTPClient.shared.execute(request, timeout: .seconds(30)))
}

/// The instants at which something happened, by name.
final class Instants: Sendable {
  private let byName = Mutex([String: [PacingInstant]]())

  /// Notes an instant, and returns how many there were before.
  @discardableResult
  func note(_ name: String) -> Int {
    let now = DispatchClock().now
    return byName.withLock { byName in
      byName[name, default: []].append(now)
      return byName[name]!.count - 1
    }
  }

  subscript(name: String) -> [PacingInstant] { byName.withLock { $0[name] ?? [] } }

  /// The times from each to the next.
  func gaps(_ name: String) -> [Duration] {
    let instants = self[name]
    return zip(instants, instants.dropFirst()).map { $0.duration(to: $1) }
  }
}

/// Values in the order in which they came.
final class Journal: Sendable {
  private let kept = Mutex([String]())

  func note(_ line: String) { kept.withLock { $0.append(line) } }
  var lines: [String] { kept.withLock(\.self) }
}
