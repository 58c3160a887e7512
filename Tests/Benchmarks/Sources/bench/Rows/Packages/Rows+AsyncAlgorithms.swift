#if Peers
  import AsyncAlgorithms

  extension Rows {
    static var asyncAlgorithms: [Row] {
      let wait = Self.wait
      return [
        // From the element's entry into the stream to its being swallowed by the next.
        Row("swift-async-algorithms debounce, element", count: 2_000) { count in
          let (numbers, input) = AsyncStream.makeStream(of: Int.self)
          for number in 0..<count { input.yield(number) }
          input.finish()
          for await number in numbers.debounce(for: .seconds(3_600)) { consume(number) }
        },
        late("AsyncTimerSequence") { arrive in
          Task {
            for await _ in AsyncTimerSequence(interval: wait, clock: .continuous) {
              arrive()
              break
            }
          }
          return nil
        },
        streams("AsyncTimerSequence") { count, gate in
          let period = Duration.milliseconds(10)
          let start = ContinuousClock.now
          var index = 0
          for await instant in AsyncTimerSequence(interval: period, clock: .continuous) {
            index += 1
            gate.arrive((start + period * index).duration(to: instant) / .microseconds(1))
            if index == count { return }
          }
        },
      ]
    }
  }
#endif
