import Foundation
import NIOCore
import NIOPosix
import Pacing
import Synchronization

/// A debouncer and a limit on an event loop.
enum LoopPart {
  /// Splits a stream into lines.
  struct LineDecoder: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    func decode(
      context: ChannelHandlerContext, buffer: inout ByteBuffer
    ) throws -> DecodingState {
      guard let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else {
        return .needMoreData
      }
      let line = buffer.readSlice(length: end - buffer.readerIndex)!
      buffer.moveReaderIndex(forwardBy: 1)
      context.fireChannelRead(wrapInboundOut(line))
      return .continue
    }
  }

  /// Sends lines to a server with a `LineHandler`, and returns what it answered.
  private static func answers(
    to lines: [String], from server: any Channel
  ) async throws -> [String] {
    let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(to: server.localAddress!) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()))
          return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await client.executeThenClose { inbound, outbound in
      async let sent: Void = outbound.write(
        ByteBuffer(string: lines.map { $0 + "\n" }.joined()))
      var answers = [String]()
      for try await answer in inbound {
        answers.append(String(buffer: answer))
        if answers.count == lines.count { break }
      }
      try await sent
      return answers
    }
  }

  private static func withLines(
    _ limit: TokenBucket, _ newest: Debouncer<String>, on loop: any EventLoop,
    _ body: (any Channel) async throws -> Void
  ) async throws {
    let server = try await ServerBootstrap(group: loop)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(ByteToMessageHandler(LineDecoder()))
          try pipeline.addHandler(LineHandler(limit: limit, newest: newest))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    try await body(server)
    try await server.close()
  }

  /// Every line is answered and counted, within the limit, and only deliveries hop.
  @Sendable static func lines() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let limit = TokenBucket(rate: .perSecond(100), burst: 50)
    let reported = Journal()
    let newest = debouncer(on: loop) { line in
      loop.preconditionInEventLoop()
      reported.note(line)
    }
    let count = 20_000
    try await withLines(limit, newest, on: loop) { server in
      let start = DispatchClock().now
      let answers = try await answers(to: (1...count).map(String.init), from: server)
      let elapsed = start.duration(to: DispatchClock().now)
      let admitted = answers.count { $0 == "ok" }
      let bound = 50 + Int(elapsed / .nanoseconds(1)) * 100 / 1_000_000_000
      try demand(answers.count == count, "\(answers.count) answers")
      try demand(answers.prefix(50).allSatisfy { $0 == "ok" }, "a full bucket refused")
      try demand(admitted <= bound, "\(admitted) admitted of at most \(bound)")
      try demand(limit.statistics.granted == admitted, "\(limit.statistics)")
    }
    await newest.flushAndWait()
    // What the last handler has handed to the loop runs before this.
    try await loop.submit {}.get()
    let counts = newest.statistics
    let hops = reported.lines.count
    try demand(counts.received == count && counts.dropped == 0, "\(counts)")
    try demand(hops == counts.delivered && hops + counts.merged == count, "\(counts), \(hops) hops")
    try demand(reported.lines.last == "\(count)", "the last was \(reported.lines.last ?? "none")")
  }

  /// A handler that blocks until the loop has answered once more: it would wait for ever on it.
  @Sendable static func blocked() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let (begins, begun) = AsyncStream.makeStream(of: Void.self)
    let released = DispatchSemaphore(value: 0)
    let newest = Debouncer<String>(for: .zero) { _ in
      begun.yield()
      released.wait()
    }
    let limit = TokenBucket(rate: .perSecond(1), burst: 10)
    try await withLines(limit, newest, on: loop) { server in
      let first = try await answers(to: ["a"], from: server)
      for await _ in begins { break }
      let second = try await answers(to: ["b"], from: server)
      released.signal()
      released.signal()
      try demand(first + second == ["ok", "ok"], "\(first + second)")
    }
    await newest.flushAndWait()
    try demand(newest.statistics.delivered == 2, "\(newest.statistics)")
  }

  /// Turns come on the loop, and none early.
  @Sendable static func turns() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let limit = TokenBucket(rate: .perSecond(100), burst: 1)
    let start = DispatchClock().now
    let times = Mutex([Duration]())
    try await EventLoopFuture.andAllSucceed(
      (0..<20).map { _ in
        loop.flatSubmit {
          loop.turn(at: limit).map {
            loop.preconditionInEventLoop()
            times.withLock { $0.append(start.duration(to: DispatchClock().now)) }
          }
        }
      }, on: loop
    ).get()
    for (number, time) in times.withLock(\.self).enumerated() {
      try demand(time >= .milliseconds(10 * number), "turn \(number) after \(time)")
    }
    let spent = TokenBucket(rate: .perHour(1), burst: 1, initial: 0)
    let refusal = loop.turn(at: spent, within: .seconds(1))
    do {
      try await refusal.get()
      throw Wrong(description: "a turn that could not be in time")
    } catch is AcquireError {}
  }
}
