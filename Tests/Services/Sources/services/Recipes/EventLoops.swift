import NIOCore
import Pacing

/// Answers lines within a limit, and reports the newest once they pause; blocks no event loop.
final class LineHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let limit: TokenBucket
  let newest: Debouncer<String>

  init(limit: TokenBucket, newest: Debouncer<String>) {
    (self.limit, self.newest) = (limit, newest)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let line = unwrapInboundIn(data)
    newest.send(String(buffer: line))
    let answer = limit.tryAcquire() ? "ok\n" : "slow down\n"
    context.write(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
  }

  func channelReadComplete(context: ChannelHandlerContext) { context.flush() }
}

// snippet: recipe-loop-turn
extension EventLoop {
  /// A future that succeeds when it is the caller's turn, and fails if the limit refuses one.
  func turn(at limit: TokenBucket, within timeout: Duration? = nil) -> EventLoopFuture<Void> {
    let promise = makePromise(of: Void.self)
    limit.acquire(within: timeout) { turn in promise.completeWith(Result { _ = try turn.get() }) }
    return promise.futureResult
  }
}
// end

/// A debouncer whose handler runs on an event loop.
func debouncer(
  on loop: any EventLoop, report: @escaping @Sendable (String) -> Void
) -> Debouncer<String> {
  // snippet: recipe-loop-delivery
  let newest = Debouncer<String>(for: .milliseconds(50)) { line in
    loop.execute { report(line) }  // one hop for each delivery, none for each line
  }
  // end
  return newest
}
