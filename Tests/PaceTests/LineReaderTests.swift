import Pacing
import Testing

@testable import pace

@Suite("LineBuffer")
struct LineBufferTests {
  /// The lines of these bytes, appended in chunks and taken `limit` at a time.
  private func lines(of bytes: [UInt8], chunk: Int, limit: Int) -> [[UInt8]] {
    var buffer = LineBuffer()
    var lines = [[UInt8]]()
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      buffer.append(Array(bytes[start..<min(start + chunk, bytes.count)]))
      while true {
        let (taken, count) = buffer.takeLines(atMost: limit)
        guard count > 0 else { break }
        let newline = UInt8(ascii: "\n")
        let split = taken.split(separator: newline, omittingEmptySubsequences: false).dropLast()
        #expect(count <= limit && split.count == count && taken.last == newline)
        lines += split.map { Array($0) + [newline] }
      }
    }
    let rest = Array(buffer.takeAll())
    #expect(buffer.count == 0)
    return rest.isEmpty ? lines : lines + [rest]
  }

  @Test(
    "splits after newlines and changes nothing",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a\n"]), ("\n\n", ["\n", "\n"]), ("a\r\nb", ["a\r\n", "b"]),
      ("a\u{0}b\n\u{0}", ["a\u{0}b\n", "\u{0}"]), ("é\n漢", ["é\n", "漢"]),
    ])
  func splits(text: String, expected: [String]) {
    for (chunk, limit) in [(1, 1), (2, 1), (3, 2), (65_536, 1), (65_536, 9)] {
      let lines = lines(of: Array(text.utf8), chunk: chunk, limit: limit)
      #expect(lines == expected.map { Array($0.utf8) })
    }
  }

  @Test("loses no byte of anything", arguments: 0..<20)
  func random(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let bytes = (0..<Int.random(in: 0...30_000, using: &generator)).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    let lines = lines(
      of: bytes, chunk: Int.random(in: 1...5_000, using: &generator),
      limit: Int.random(in: 1...20, using: &generator))
    #expect(Array(lines.joined()) == bytes, "seed \(seed)")
  }
}

@Suite("LineReader")
struct LineReaderTests {
  @Test("returns every line, and the last one without a newline")
  func lines() throws {
    let (reading, writing) = try Descriptor.pipe()
    defer { reading.end() }
    try writing.write(Array("a\n\nb".utf8)[...])
    writing.end()
    var reader = LineReader(Input(reading, until: try Interruption()))
    var lines = [String]()
    while let line = try reader.next() { lines.append(String(decoding: line.bytes, as: UTF8.self)) }
    #expect(lines == ["a\n", "\n", "b"])
    #expect(reader.end == .endOfInput)
  }

  @Test("takes no further lines from a pipe than it may", arguments: [1, 2, 5])
  func ahead(most: Int) throws {
    let (reading, writing) = try Descriptor.pipe()
    defer { for descriptor in [reading, writing] { descriptor.end() } }
    try writing.write([UInt8](repeating: UInt8(ascii: "\n"), count: 12)[...])
    var reader = LineReader(Input(reading, until: try Interruption()), ahead: most)
    #expect(try reader.next() != nil)
    #expect(reader.takeAll().count == most - 1)
    #expect(try reading.read(atMost: 65_536).count == 12 - most)
  }

  @Test("returns what it has read when it is interrupted, and then no more")
  func interrupted() throws {
    let (reading, writing) = try Descriptor.pipe()
    defer { for descriptor in [reading, writing] { descriptor.end() } }
    try writing.write(Array("a\nb\nc".utf8)[...])
    let interruption = try Interruption()
    var reader = LineReader(Input(reading, until: interruption))
    #expect(try reader.next()?.bytes == Array("a\n".utf8))
    interruption.interrupt(.failure(.outputClosed))
    try writing.write(Array("d\n".utf8)[...])
    #expect(try reader.next()?.bytes == Array("b\n".utf8))
    #expect(try reader.next()?.bytes == Array("c".utf8))
    #expect(try reader.next() == nil)
    #expect(reader.end == .interrupted)
  }
}

@Suite("Input")
struct InputTests {
  @Test("reads no more than it may, and nothing where that is nothing")
  func count() throws {
    let (reading, writing) = try Descriptor.pipe()
    defer { reading.end() }
    try writing.write(Array("1\n2\n".utf8)[...])
    writing.end()
    var input = Input(reading, until: try Interruption())
    #expect(try input.read(atMost: 3) == Array("1\n2".utf8))
    #expect(try input.read(atMost: 0, within: .zero).isEmpty && input.end == nil)
    #expect(try input.read(atMost: 9, within: .seconds(1)) == Array("\n".utf8))
    #expect(try input.read(atMost: 9).isEmpty && input.end == .endOfInput)
  }

  @Test("returns nothing after the timeout, however short", arguments: [0, 1, 500_000, 2_000_000])
  func timeout(nanoseconds: Int64) throws {
    let (reading, writing) = try Descriptor.pipe()
    defer { for descriptor in [reading, writing] { descriptor.end() } }
    var input = Input(reading, until: try Interruption())
    #expect(try input.read(atMost: 1, within: .nanoseconds(nanoseconds)).isEmpty)
    #expect(input.end == nil)
  }
}
