#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
#if canImport(SwiftOverlayShims)
  // The compiler attributes `timespec` to the first module of the two that it meets.
  import SwiftOverlayShims
#endif

extension Descriptor {
  /// A state of a descriptor.
  enum Event {
    /// There are bytes to read, or the end.
    case reading

    /// There is room to write.
    case writing

    /// The reader has closed its end.
    case closing
  }

  /// Waits until one of the events is there.
  ///
  /// - Parameters:
  ///   - events: The events to wait for.
  ///   - timeout: How long to wait, or nil for as long as it takes.
  /// - Returns: For each event, whether it is there; none is after the timeout. An error counts as
  ///   the event: the next call on the descriptor reports it.
  /// - Throws: The system's error if it cannot wait.
  static func wait(
    for events: [(Descriptor, Event)], within timeout: Duration? = nil
  ) throws(SystemError) -> [Bool] {
    var polled = events.map { descriptor, event in
      pollfd(fd: descriptor.number, events: mask(of: event), revents: 0)
    }
    while poll(&polled, within: timeout) < 0 {
      let error = SystemError.last
      guard error.isInterruption || error.isNotReady else { throw error }
    }
    return polled.map { $0.revents != 0 }
  }

  private static func poll(_ polled: inout [pollfd], within timeout: Duration?) -> Int32 {
    guard let timeout else { return systemPoll(&polled, -1) }
    let canSelect = polled.allSatisfy { $0.events == POLLIN && 0..<Int32(FD_SETSIZE) ~= $0.fd }
    guard canSelect else {
      // Rounded up, since a shorter wait would only be repeated.
      return systemPoll(&polled, Int32(min((timeout / .milliseconds(1)).rounded(.up), 1e9)))
    }
    // Counts in nanoseconds, unlike poll(), but not every descriptor fits into its set.
    var set = fd_set()
    withUnsafeMutableBytes(of: &set) { bytes in
      for descriptor in polled { bytes[Int(descriptor.fd / 8)] |= 1 << (descriptor.fd % 8) }
    }
    let (seconds, attoseconds) = timeout.components
    var length = timespec()
    length.tv_sec = Int(seconds)
    length.tv_nsec = Int(attoseconds / 1_000_000_000)
    let last = polled.map(\.fd).max() ?? -1
    let result = pselect(last + 1, &set, nil, nil, &length, nil)
    return result < 0 ? result : systemPoll(&polled, 0)
  }

  /// What the system is asked for; on macOS it reports nothing of a descriptor without events.
  static func mask(of event: Event) -> Int16 {
    switch event {
    case .reading: Int16(POLLIN)
    case .writing: Int16(POLLOUT)
    case .closing: Int16(POLLHUP)
    }
  }
}

// The type's own function hides the system's.
private func systemPoll(_ polled: inout [pollfd], _ milliseconds: Int32) -> Int32 {
  poll(&polled, nfds_t(polled.count), milliseconds)
}
