import Dispatch
import Pacing

extension HotPath {
  static let values: Paths = [
    "Debouncer.send": {
      let debouncer = Debouncer<Int>(for: long) { _ in }
      return { for number in 0..<$0 { debouncer.send(number) } }
    },
    "Throttler.send": {
      let delivered = DispatchSemaphore(value: 0)
      let throttler = Throttler<Int>(every: long) { _ in delivered.signal() }
      // The window's leading value, whose thread would else start in longer runs only.
      throttler.send(-1)
      delivered.wait()
      return { for number in 0..<$0 { throttler.send(number) } }
    },
    "KeyedDebouncer.send": {
      let debouncer = KeyedDebouncer<Int, Int>(for: long) { _, _ in }
      return { for number in 0..<$0 { debouncer.send(number, for: number % 1_000) } }
    },
    "DispatchTimer.resume+suspend": {
      let timer = DispatchTimer(.every(long)) { _ in }
      timer.start()
      timer.suspend()
      return { count in
        for _ in 0..<count {
          precondition(timer.resume())
          timer.suspend()
        }
      }
    },
    "DispatchTimer.make+start+cancel": {
      { count in
        for _ in 0..<count {
          let timer = DispatchTimer(.every(long)) { _ in }
          timer.start()
          timer.cancel()
        }
      }
    },
    "Debouncer.send+cancel": {
      let debouncer = Debouncer<Int>(for: long) { _ in }
      return { count in
        for number in 0..<count {
          debouncer.send(number)
          precondition(debouncer.cancel() == number)
        }
      }
    },
  ]
}
