import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import pace

@Suite("RedisReader")
struct RedisReaderTests {
  /// Reads replies until there is none, and how many bytes the server could send until then.
  private func read(_ sent: [UInt8]) -> (replies: [RedisConnection.Value], sent: Int) {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Sockets.stream, 0, &ends) == 0)
    let (own, other) = (ends[0], ends[1])
    let server = DispatchGroup()
    let count = Mutex(0)
    DispatchQueue(label: "server").async(group: server) {
      let sent = write(sent, to: other)
      count.withLock { $0 = sent }
    }
    var reader = RedisReader(own)
    var replies = [RedisConnection.Value]()
    while let reply = reader.next() { replies.append(reply) }
    close(own)
    server.wait()
    return (replies, count.withLock { $0 })
  }

  @Test(
    "reads what servers send",
    arguments: [
      ("+OK\r\n", .text("OK")), ("-ERR no\r\n", .failure("ERR no")), (":-7\r\n", .integer(-7)),
      ("$0\r\n\r\n", .text("")), ("$4\r\na\r\nb\r\n", .text("a\r\nb")), ("$-1\r\n", .null),
      ("*-1\r\n", .null), ("*0\r\n", .list([])),
      ("*2\r\n:1\r\n*1\r\n$-1\r\n", .list([.integer(1), .list([.null])])),
    ] as [(String, RedisConnection.Value)])
  func reads(text: String, reply: RedisConnection.Value) {
    #expect(read(Array((text + text).utf8)).replies == [reply, reply])
    let part = Array(text.utf8.dropLast())
    #expect(read(part).replies.isEmpty, "cut off")
  }

  @Test("a long reply is read, and none after it counts for it")
  func long() {
    let text = "$1000000\r\n" + String(repeating: "a", count: 1_000_000) + "\r\n"
    let read = read(Array((text + text + ":5\r\n").utf8))
    #expect(read.replies.count == 3 && read.replies.last == .integer(5))
  }

  @Test(
    "ends at what is no reply",
    arguments: [
      "\n", "\r\n", ":\r\n", ":x\r\n", ":9223372036854775808\r\n", ":51\n", "$x\r\n", "*x\r\n",
      "$9223372036854775807\r\na", "$9223372036854775806\r\na", "$1048577\r\na", "$1\r\nabc",
      "*9223372036854775807\r\n", "hello\r\n",
    ])
  func malformed(text: String) {
    let read = read(Array("\(text):1\r\n:2\r\n".utf8))
    #expect(read.replies.isEmpty)
  }

  @Test("nests no deeper than a reply does")
  func depth() {
    let nested = String(repeating: "*1\r\n", count: 8) + ":1\r\n"
    #expect(read(Array(nested.utf8)).replies.count == 1)
    let read = read(Array(String(repeating: "*1\r\n", count: 200_000).utf8))
    #expect(read.replies.isEmpty)
  }

  @Test(
    "keeps no more than a reply may hold",
    arguments: ["a", ":1\r\n", "$3\r\nabc\r\n", "*0\r\n"])
  func length(piece: String) {
    let start = piece == "a" ? "+" : "*1000000000\r\n"
    let endless = Array((start + String(repeating: piece, count: 6 << 20 / piece.utf8.count)).utf8)
    let read = read(endless)
    #expect(read.replies.isEmpty && read.sent < 4 << 20)
  }
}

/// Sends until the other end is closed, and returns how many bytes it took.
private func write(_ bytes: [UInt8], to end: Int32) -> Int {
  defer { close(end) }
  #if canImport(Darwin)
    var isOn: Int32 = 1
    setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
  #endif
  var sent = 0
  while sent < bytes.count {
    let part = Array(bytes[sent..<min(sent + 4096, bytes.count)])
    let count = send(end, part, part.count, Sockets.noSignal)
    guard count > 0 else { break }
    sent += count
  }
  return sent
}
