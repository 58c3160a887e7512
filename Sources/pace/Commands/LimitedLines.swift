import Pacing

/// Lines that wait for the tokens of a bucket, in blocks.
///
/// Lines that are due within a millisecond form a block, which leaves when its last line is due.
/// A block is charged when it has been read, before the blocks ahead have left, even above the
/// burst: a late wake delays it but costs no tokens.
struct LimitedLines {
  private struct Block {
    let bytes: ArraySlice<UInt8>
    let due: PacingInstant
  }

  private var bucket: BucketLevel
  private let clock: any Clock<Duration>

  /// The number of lines that are due within a millisecond, at least one.
  private let blockLength: Int

  /// The number of tokens that may be charged in advance; zero for slow rates.
  private let advance: Int

  private var buffer = LineBuffer()
  private var blocks: [Block] = []

  init(rate: Rate, burst: Int, clock: any Clock<Duration> = .dispatch) {
    bucket = BucketLevel(rate: rate, burst: burst, at: clock.service.now)
    self.clock = clock
    blockLength = max(1, rate.count(in: .milliseconds(1)))
    advance = rate.linesInAdvance
  }

  /// The number of bytes that may be read now.
  ///
  /// It bounds the lines that are read too early: those of the next 20 milliseconds, one line in
  /// any case, and two for rates of 1/s or more.
  var room: Int {
    let lines = bucket.available(at: clock.service.now).adding(advance)
    // Below half, few bytes at a time would be read: many calls for one line.
    guard blocks.isEmpty || lines > advance / 2 else { return 0 }
    return buffer.room(for: lines)
  }

  /// The time until the first block is due, or nil if no block waits.
  var delay: Duration? {
    blocks.first.map { max(.zero, clock.service.now.duration(to: $0.due)) }
  }

  /// Adds bytes that were read.
  mutating func append(_ chunk: [UInt8]) {
    buffer.append(chunk)
    // A piece of a long line ends none; whole lines have been taken.
    guard chunk.contains(UInt8(ascii: "\n")) else { return }
    // Lines that have tokens leave at once. What follows leaves in blocks: if the tokens that come
    // meanwhile counted, a machine that takes longer for a line than its token does would handle
    // one line at a time.
    let available = bucket.available(at: clock.service.now)
    var length = available > 0 ? available : blockLength
    while true {
      let (bytes, count) = buffer.takeLines(atMost: length)
      guard count > 0 else { return }
      charge(count, for: bytes)
      length = blockLength
    }
  }

  /// Adds the last line if it has no newline.
  mutating func finish() {
    let rest = buffer.takeAll()
    if !rest.isEmpty { charge(1, for: rest) }
  }

  /// Takes the lines that are due.
  mutating func takeDue() -> ArraySlice<UInt8> {
    guard !blocks.isEmpty else { return [] }
    let now = clock.service.now
    let count = blocks.prefix { $0.due <= now }.count
    defer { blocks.removeFirst(count) }
    return count == 1 ? blocks[0].bytes : blocks[..<count].reduce(into: []) { $0 += $1.bytes }
  }

  /// Takes everything that was read.
  mutating func takeAll() -> ArraySlice<UInt8> {
    defer { blocks = [] }
    return blocks.reduce(into: []) { $0 += $1.bytes } + buffer.takeAll()
  }

  private mutating func charge(_ lines: Int, for bytes: ArraySlice<UInt8>) {
    let now = clock.service.now
    let due = bucket.earliest(for: 0, behind: Int128(lines), from: now)
    bucket.spend(lines, at: now, isOnTime: false)
    blocks.append(Block(bytes: bytes, due: due))
  }
}

extension Rate {
  /// The number of lines that may be read before their tokens come; zero for slow rates.
  var linesInAdvance: Int {
    let isSlow = count(in: .seconds(1)) == 0
    return isSlow ? 0 : 1 + max(1, count(in: .milliseconds(20)))
  }

  /// The whole tokens that come in `period`, saturating at a million.
  fileprivate func count(in period: Duration) -> Int {
    let (seconds, attoseconds) = period.components
    let length = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    return Int(min(Int128(tokens) * length / Int128(max(nanoseconds, 1)), 1_000_000))
  }
}
