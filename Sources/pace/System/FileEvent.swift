#if !canImport(Darwin)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// An event in a watched directory, as inotify reports it.
  struct FileEvent: Equatable {
    /// The watch that reports it; -1 if events were lost.
    let watch: Int32

    /// The kind of event, as bits.
    let mask: UInt32

    /// The name of the directory's entry, empty for the directory itself.
    let name: [UInt8]

    func has(_ bits: Int32) -> Bool { mask & UInt32(bits) != 0 }

    /// Whether the entry is new.
    var isArrival: Bool { has(IN_CREATE) || has(IN_MOVED_TO) }

    var isAboutDirectory: Bool { mask & UInt32(IN_ISDIR) != 0 }

    /// The events in the bytes of one read.
    static func parse(_ bytes: [UInt8]) -> [FileEvent] {
      let header = MemoryLayout<inotify_event>.size
      var events = [FileEvent]()
      var rest = bytes[...]
      while rest.count >= header {
        let (watch, mask, length) = rest.withUnsafeBytes { buffer in
          (
            buffer.loadUnaligned(fromByteOffset: 0, as: Int32.self),
            buffer.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
            buffer.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
          )
        }
        // Zeros fill the name up.
        let name = rest.dropFirst(header).prefix(Int(length)).prefix { $0 != 0 }
        events.append(FileEvent(watch: watch, mask: mask, name: Array(name)))
        rest = rest.dropFirst(header + Int(length))
      }
      return events
    }
  }
#endif
