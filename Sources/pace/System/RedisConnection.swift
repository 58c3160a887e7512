import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A connection to a Redis or Valkey server that is opened when it is needed, and again when it was
/// lost.
///
/// Commands of many tasks are on their way at once; replies come in their order.
///
/// ## Concurrency
/// Thread-safe. One queue connects and writes, another reads: however long the system takes for
/// that, no caller's thread waits, so a caller can stop waiting.
final class RedisConnection: Sendable {
  /// A reply.
  indirect enum Value: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case list([Value])
    case null
    case failure(String)

    /// The numbers of a list that has nothing else; otherwise none.
    var numbers: [Int64] {
      guard case .list(let values) = self else { return [] }
      let numbers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
      return numbers.count == values.count ? numbers : []
    }
  }

  /// What went wrong: the server's own text, or that of the system.
  struct Failure: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct State {
    var socket: Int32?
    /// Which connection it is: a reader of an earlier one changes nothing.
    var generation = 0
    var waiters = [Waiter]()
    /// How many of the waiters have their replies.
    var answered = 0

    /// The connection, if there is one, with `waiter` as the last to get a reply.
    mutating func join(_ waiter: Waiter) -> Int32? {
      guard let socket else { return nil }
      waiters.append(waiter)
      return socket
    }

    mutating func nextWaiter() -> Waiter? {
      guard answered < waiters.count else { return nil }
      defer { answered += 1 }
      let waiter = waiters[answered]
      if answered > 512, answered * 2 > waiters.count {
        waiters.removeFirst(answered + 1)
        answered = -1
      }
      return waiter
    }
  }

  private let host: String
  private let port: Int
  private let state = Mutex(State())

  /// Connects, writes and closes, in this order for each connection: nothing is written to a number
  /// that the system has given to another file.
  private let queue = DispatchQueue(label: "pace.redis.write")

  init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  deinit {
    if let socket = state.withLock({ $0.socket }) { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  /// Sends a command and returns its reply.
  ///
  /// - Throws: `Failure` if the server answers with an error, or cannot be reached.
  func send(_ words: [String]) async throws -> Value {
    let bytes = Self.encoded(words)
    let value = try await withCheckedThrowingContinuation { (waiter: Waiter) in
      queue.async { [self] in
        do throws(Failure) {
          let socket = try join(waiter)
          // What fails here, the reader meets as well, and tells the waiters.
          Self.write(bytes, to: socket)
        } catch {
          waiter.resume(throwing: error)
        }
      }
    }
    if case .failure(let text) = value { throw Failure(description: text) }
    return value
  }

  /// The numbers of a reply, for the library's script.
  func numbers(_ words: [String]) async throws -> [Int64] {
    try await send(words).numbers
  }

  /// Adds the waiter to the connection, which is opened if there is none; on the queue.
  private func join(_ waiter: Waiter) throws(Failure) -> Int32 {
    if let socket = state.withLock({ $0.join(waiter) }) { return socket }
    let socket = try Self.open(host, port)
    let generation = state.withLock { state in
      state.socket = socket
      state.generation += 1
      state.waiters.append(waiter)
      return state.generation
    }
    read(socket, generation)
    return socket
  }

  private func read(_ socket: Int32, _ generation: Int) {
    DispatchQueue(label: "pace.redis.read").async { [weak self, queue] in
      var reader = RedisReader(socket)
      while let value = reader.next() {
        guard let self else { break }
        let waiter = self.state.withLock { state in
          state.generation == generation ? state.nextWaiter() : nil
        }
        waiter?.resume(returning: value)
      }
      self?.lose(generation)
      // Ends a write to a server that does not read.
      shutdown(socket, Int32(SHUT_RDWR))
      queue.async { close(socket) }
    }
  }

  /// Fails what waits for a connection that has ended.
  private func lose(_ generation: Int) {
    let waiters = state.withLock { state -> ArraySlice<Waiter> in
      guard state.generation == generation else { return [] }
      defer { state = State(generation: generation) }
      return state.waiters[max(0, state.answered)...]
    }
    for waiter in waiters { waiter.resume(throwing: Failure(description: "connection lost")) }
  }

  // MARK: Bytes

  private static func encoded(_ words: [String]) -> [UInt8] {
    var bytes = Array("*\(words.count)\r\n".utf8)
    for word in words {
      bytes += "$\(word.utf8.count)\r\n".utf8
      bytes += word.utf8
      bytes += "\r\n".utf8
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to socket: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { sendQuietly(socket, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        shutdown(socket, Int32(SHUT_RDWR))
        return
      }
      rest = rest.dropFirst(count)
    }
  }

  private static func open(_ host: String, _ port: Int) throws(Failure) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = streamKind
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let first = found else {
      throw Failure(description: "no address of \(host)")
    }
    defer { freeaddrinfo(first) }
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let address = next?.pointee {
      let socket = makeSocket(address.ai_family, address.ai_socktype, address.ai_protocol)
      if socket >= 0 {
        if connectSocket(socket, address.ai_addr, address.ai_addrlen) == 0 {
          var isOn: Int32 = 1
          setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
          return socket
        }
        close(socket)
      }
      next = address.ai_next
    }
    throw Failure(
      description: "\(host):\(port) cannot be reached: \(String(cString: strerror(errno)))")
  }
}

// The system's names, which differ between systems or are hidden by those of the types.

#if canImport(Glibc)
  private let streamKind = Int32(SOCK_STREAM.rawValue)
#else
  private let streamKind = SOCK_STREAM
#endif

private func makeSocket(_ family: Int32, _ kind: Int32, _ number: Int32) -> Int32 {
  socket(family, kind, number)
}

private func connectSocket(
  _ number: Int32, _ address: UnsafeMutablePointer<sockaddr>?, _ length: socklen_t
) -> Int32 {
  connect(number, address, length)
}

private func sendQuietly(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
    send(number, bytes, count, 0)
  #else
    send(number, bytes, count, Int32(MSG_NOSIGNAL))
  #endif
}
