import Foundation
import Pacing
import PacingTesting
import TestSupport

/// An HTTP server on the loopback interface with scripted responses, one per request.
final class LoopbackServer: Sendable {
  /// The response to a request.
  enum Answer: Hashable {
    case status(Int, retryAfter: Int? = nil)
    /// The connection stays open, without a response.
    case silence
    /// The connection is closed without a response.
    case hangUp
  }

  /// Whether the loopback interface takes connections: without it a retry has no end.
  static let isReachable: Bool = {
    guard let server = try? LoopbackServer([], then: .status(200)) else { return false }
    defer { server.stop() }
    let connection = Connection(socket(AF_INET, Sockets.stream, 0))
    defer { connection.end() }
    return (try? ask(server.port, connection)) != nil
  }()

  /// The arrival times of requests.
  let arrivals = EventRecorder<PacingInstant>()
  let port: UInt16

  private let listener: Int32
  private let script: EventRecorder<Answer>
  private let last: Answer
  private let silent = EventRecorder<Int32>()

  /// Starts to listen; after the script every request gets the last answer.
  init(_ script: [Answer], then last: Answer) throws {
    self.last = last
    self.script = EventRecorder()
    for answer in script { self.script.record(answer) }
    let listener = socket(AF_INET, Sockets.stream, 0)
    self.listener = listener
    var address = Self.loopback(port: 0)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var length = size
    let isBound = Self.withGeneric(&address) { bind(listener, $0, size) } == 0
    guard listener >= 0, isBound, listen(listener, 16) == 0,
      Self.withGeneric(&address, { getsockname(listener, $0, &length) }) == 0
    else { throw ConnectionLost() }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in serve() }
  }

  /// Closes all connections; silent requests end.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for connection in silent.takeAll() { close(connection) }
  }

  private func serve() {
    var number = 0
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      arrivals.record(DispatchClock().now)
      _ = Connection(connection).read(until: "\r\n\r\n")
      let script = script.values
      answer(connection, with: number < script.count ? script[number] : last)
      number += 1
    }
  }

  private func answer(_ connection: Int32, with answer: Answer) {
    switch answer {
    case .silence:
      silent.record(connection)
    case .hangUp:
      close(connection)
    case .status(let status, let seconds):
      let hint = seconds.map { "Retry-After: \($0)\r\n" } ?? ""
      let head = "HTTP/1.1 \(status) x\r\n\(hint)Connection: close\r\nContent-Length: 0\r\n\r\n"
      Connection(connection).write(head)
      close(connection)
    }
  }

  // MARK: Requests

  /// Sends one request; ends with the task.
  func request() async throws -> LoopbackResponse {
    let connection = Connection(socket(AF_INET, Sockets.stream, 0))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { [port] in
          let result = Result { try Self.ask(port, connection) }
          connection.end()
          continuation.resume(with: result)
        }
      }
    } onCancel: {
      connection.interrupt()
    }
  }

  private static func ask(_ port: UInt16, _ connection: Connection) throws -> LoopbackResponse {
    var address = loopback(port: port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withGeneric(&address, { connect(connection.descriptor, $0, size) }) == 0 else {
      throw ConnectionLost()
    }
    connection.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return try LoopbackResponse(head: connection.read(until: "\r\n\r\n"))
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func withGeneric<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}

/// A connected socket that another thread may interrupt until it is closed.
private final class Connection: Sendable {
  let descriptor: Int32
  private let isOpen = Locked(true)

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  func interrupt() {
    isOpen.withLock { isOpen in
      if isOpen { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  func end() {
    isOpen.withLock { isOpen in
      if isOpen { _ = close(descriptor) }
      isOpen = false
    }
  }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = send(descriptor, bytes, bytes.count, Sockets.noSignal)
  }

  /// The received text up to `ending`, or until the connection closes.
  func read(until ending: String) -> String {
    var bytes = [UInt8]()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: bytes, as: UTF8.self).hasSuffix(ending) {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The head of a response.
struct LoopbackResponse: Sendable {
  let status: Int
  let retryAfter: Duration?

  /// - Throws: `ConnectionLost` if nothing was received.
  init(head: String) throws {
    let lines = head.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { throw ConnectionLost() }
    self.status = status
    let hint = lines.first { $0.hasPrefix("Retry-After: ") }?.dropFirst(13)
    retryAfter = hint.flatMap { Int64($0) }.map { .seconds($0) }
  }
}

struct ConnectionLost: Error {}

/// A response without success.
struct ServerFailure: RetryAdvising {
  let response: LoopbackResponse
  var retryAdvice: RetryAdvice? { response.retryAfter.map { .retry(after: $0) } }
}
