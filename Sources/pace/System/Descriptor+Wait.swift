#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Descriptor {
  /// What to wait for.
  enum Event {
    /// There is something to read, or the end.
    case reading

    /// There is room to write.
    case writing

    /// Nobody reads any more what is written here.
    case closing
  }

  /// Waits, for as long as it takes, until one of the events is there.
  ///
  /// - Returns: for each of them, in their order, whether it is there. An error counts as the
  ///   event: the call that follows meets it.
  static func wait(for events: [(Descriptor, Event)]) throws(SystemError) -> [Bool] {
    var polled = events.map { descriptor, event in
      pollfd(fd: descriptor.number, events: mask(of: event), revents: 0)
    }
    while poll(&polled, nfds_t(polled.count), -1) < 0 {
      let error = SystemError.last
      guard error.isInterruption || error.isNotReady else { throw error }
    }
    return polled.map { $0.revents != 0 }
  }

  /// Whether nobody reads any more what is written here, as far as the system can tell.
  var isClosed: Bool {
    var polled = pollfd(fd: number, events: 0, revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  private static func mask(of event: Event) -> Int16 {
    switch event {
    case .reading: Int16(POLLIN)
    case .writing: Int16(POLLOUT)
    case .closing: 0
    }
  }
}
