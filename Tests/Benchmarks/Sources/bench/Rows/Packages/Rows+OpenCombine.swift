#if Peers
  import Dispatch
  import OpenCombine
  import OpenCombineDispatch

  extension Rows {
    static var openCombine: [Row] {
      let subject = PassthroughSubject<Int, Never>()
      let queue = DispatchQueue(label: "combine")
      let subscription = subject.debounce(for: .milliseconds(300), scheduler: queue.ocombine)
        .sink { consume($0) }
      return [
        Row("OpenCombine debounce send", count: 500) { count in
          for number in 0..<count { subject.send(number) }
          withExtendedLifetime(subscription) {}
        }
      ]
    }
  }
#endif
