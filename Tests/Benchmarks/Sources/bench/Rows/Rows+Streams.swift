import Pacing

extension Rows {
  static var streams: [Row] { [ready, bare, tick, plain] }

  /// The stream's own cost: each has its tick before it is asked for it.
  private static var ready: Row {
    Row("ticks() next, element ready", unit: "ns", count: 5_000, turns: .fastestOfMany) { count in
      let timer = DispatchTimer(.every(.seconds(86_400)))
      var streams = (0..<count).map { _ in timer.ticks().makeAsyncIterator() }
      timer.start()
      timer.fireNow()
      let start = Moment.now
      for index in streams.indices { consume(await streams[index].next()) }
      return start.elapsed / Double(count)
    }
  }

  /// What `AsyncStream` takes of that, with an element that needs no one else.
  private static var bare: Row {
    Row("AsyncStream(unfolding:) next", unit: "ns", count: 5_000, turns: .fastestOfMany) { count in
      var streams = (0..<count).map { index in AsyncStream { index }.makeAsyncIterator() }
      let start = Moment.now
      for index in streams.indices { consume(await streams[index].next()) }
      return start.elapsed / Double(count)
    }
  }

  private static var tick: Row {
    let timer = DispatchTimer(.every(.seconds(86_400)))
    var ticks = timer.ticks().makeAsyncIterator()
    timer.start()
    return Row("DispatchTimer fireNow + next", count: 2_000) { count in
      for _ in 0..<count {
        timer.fireNow()
        consume(await ticks.next())
      }
    }
  }

  private static var plain: Row {
    let (numbers, input) = AsyncStream.makeStream(
      of: Int.self, bufferingPolicy: .bufferingNewest(1))
    var iterator = numbers.makeAsyncIterator()
    return Row("AsyncStream yield + next", count: 2_000) { count in
      for number in 0..<count {
        input.yield(number)
        consume(await iterator.next())
      }
    }
  }
}
