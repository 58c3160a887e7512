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
        late("NIO") { arrive in
          loop.scheduleTask(in: .milliseconds(5)) { arrive() }
          return nil
        },
      ]
    }
  }
#endif
