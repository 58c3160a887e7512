/// The lines of standard input, one after another, byte for byte.
///
/// A line ends with its newline, which belongs to it; the last one may lack it. Anything else,
/// zero bytes and broken UTF-8 included, is part of a line.
struct LineReader: ~Copyable {
  /// Why there are no more lines.
  enum End: Equatable {
    /// The input is over.
    case endOfInput

    /// The process was told to stop. What has been read is still handed out.
    case interrupted
  }

  /// What the lines ended with, once they have.
  private(set) var end: End?

  private let input: Descriptor
  private let interruption: Interruption

  /// What has been read: handed out up to `start`, without a newline from there to `searched`.
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0

  init(_ input: Descriptor, until interruption: Interruption) {
    self.input = input
    self.interruption = interruption
  }

  /// Waits for the next line.
  ///
  /// - Parameter spare: how many bytes may be read beyond the line. A line has one byte at least,
  ///   so that what is read ahead is that many lines at most. A long line may be overshot by its
  ///   own length.
  /// - Returns: the line, nil where there are no more.
  /// - Throws: what the system says where the input cannot be read.
  mutating func next(readingAhead spare: Int = 65_536) throws(SystemError) -> Line? {
    while true {
      if let newline = bytes.firstNewline(from: searched) {
        return take(upTo: newline + 1)
      }
      searched = bytes.count
      guard end == nil else {
        return start < bytes.count ? take(upTo: bytes.count) : nil
      }
      try read(readingAhead: spare)
    }
  }

  private mutating func read(readingAhead spare: Int) throws(SystemError) {
    let events = [(input, Descriptor.Event.reading), (interruption.descriptor, .reading)]
    if try Descriptor.wait(for: events)[1] {
      end = .interrupted
      return
    }
    compact()
    let length = bytes.count - start
    let longStep = length >= 4_096 ? length : 1
    do {
      let chunk = try input.read(atMost: min(max(spare, longStep), 1 << 20))
      if chunk.isEmpty { end = .endOfInput }
      bytes += chunk
    } catch {
      guard error.isInterruption || error.isNotReady else { throw error }
    }
  }

  private mutating func take(upTo end: Int) -> Line {
    defer {
      start = end
      searched = end
    }
    return Line(bytes: bytes[start..<end])
  }

  /// Lets go of what has been handed out, before more is read.
  private mutating func compact() {
    guard start > 0 else { return }
    bytes.removeFirst(start)
    searched -= start
    start = 0
  }
}
