#if Peers
  import NIOCore
  import NIOPosix

  extension Rows {
    static var nio: [Row] {
      let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
      return [
        // On the loop's own thread, where NIO needs no wake.
        Row("NIO scheduleTask + cancel", count: 1_000) { count in
          try? await loop.submit {
            for _ in 0..<count { loop.scheduleTask(in: .hours(24)) {}.cancel() }
          }.get()
        },
        Row("NIO scheduleCallback + cancel", count: 1_000) { count in
          try? await loop.submit {
            let handler = Ignoring()
            for _ in 0..<count {
              try loop.scheduleCallback(in: .hours(24), handler: handler).cancel()
            }
          }.get()
        },
        Row("schedule + fire NIO", unit: "ns CPU", count: 100_000, turns: .few) { count in
          let gate = Gate(count)
          let start = Moment.processorTime
          loop.execute {
            for index in 0..<count {
              loop.scheduleTask(in: .microseconds(Int64(10 * index))) { gate.arrive() }
            }
          }
          await gate.wait()
          return Moment.processorTime.since(start) / Double(count)
        },
        growth(1_000, "1k", on: loop), growth(10_000, "10k", on: loop),
        growth(100_000, "100k", on: loop),
        late("NIO") { arrive in
          loop.scheduleTask(in: .milliseconds(5)) { arrive() }
          return nil
        },
      ]
    }

    private final class Ignoring: NIOScheduledCallbackHandler, Sendable {
      func handleScheduledCallback(eventLoop: some EventLoop) {}
    }

    /// A task that is scheduled and cancelled while others are pending.
    private static func growth(_ others: Int, _ name: String, on loop: any EventLoop) -> Row {
      Row(
        "NIO scheduleTask + cancel, \(name)", unit: "ns", count: others, turns: .few
      ) { others in
        let passes = try? await loop.submit { () -> Double in
          let pending = (0..<others).map { index in
            loop.scheduleTask(in: .hours(24) + .microseconds(Int64(index))) {}
          }
          let start = Moment.now
          for index in 0..<500 {
            let place = Int64(index &* 7_919 % others)
            loop.scheduleTask(in: .hours(24) + .microseconds(place)) {}.cancel()
          }
          let elapsed = start.elapsed / 500
          for task in pending.reversed() { task.cancel() }
          return elapsed
        }.get()
        return passes ?? .nan
      }
    }
  }
#endif
