import Testing

@testable import pace

@Suite("LineReader")
struct LineReaderTests {
  /// Everything that a reader makes of these bytes, which are all there before it begins.
  private func lines(of bytes: [UInt8], readingAhead spare: Int) throws -> [[UInt8]] {
    let (reading, writing) = try Descriptor.pipe()
    defer { reading.end() }
    try writing.write(bytes[...])
    writing.end()
    var reader = LineReader(reading, until: try Interruption())
    var lines = [[UInt8]]()
    while let line = try reader.next(readingAhead: spare) { lines.append(line.bytes) }
    #expect(reader.end == .endOfInput)
    return lines
  }

  @Test(
    "splits after newlines and changes nothing",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a\n"]), ("\n\n", ["\n", "\n"]), ("a\r\nb", ["a\r\n", "b"]),
      ("a\u{0}b\n\u{0}", ["a\u{0}b\n", "\u{0}"]), ("é\n漢", ["é\n", "漢"]),
    ])
  func splits(text: String, expected: [String]) throws {
    for spare in [1, 2, 3, 65_536] {
      let lines = try lines(of: Array(text.utf8), readingAhead: spare)
      #expect(lines == expected.map { Array($0.utf8) })
    }
  }

  @Test("loses no byte of anything", arguments: 0..<20)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...30_000, using: &generator)).map { _ in
      UInt8.random(in: 0...255, using: &generator)
    }
    let lines = try lines(of: bytes, readingAhead: Int.random(in: 1...5_000, using: &generator))
    #expect(Array(lines.joined()) == bytes, "seed \(seed)")
    for line in lines.dropLast() {
      #expect(line.last == UInt8(ascii: "\n"), "seed \(seed)")
      #expect(line.count { $0 == UInt8(ascii: "\n") } == 1, "seed \(seed)")
    }
  }

  @Test("reads no further ahead than it is allowed to")
  func readsAhead() throws {
    let (reading, writing) = try Descriptor.pipe()
    defer { reading.end() }
    try writing.write(Array("1\n2\n3\n4\n".utf8)[...])
    writing.end()
    var reader = LineReader(reading, until: try Interruption())
    #expect(try reader.next(readingAhead: 1)?.bytes == Array("1\n".utf8))
    #expect(try reading.read(atMost: 2) == Array("2\n".utf8))
    #expect(try reader.next(readingAhead: 4)?.bytes == Array("3\n".utf8))
    #expect(try reading.read(atMost: 1).isEmpty)
    #expect(try reader.next(readingAhead: 1)?.bytes == Array("4\n".utf8))
  }

  @Test("hands out what it has read when it is interrupted, and then no more")
  func interrupted() throws {
    let (reading, writing) = try Descriptor.pipe()
    defer { for descriptor in [reading, writing] { descriptor.end() } }
    try writing.write(Array("a\nb\nc".utf8)[...])
    let interruption = try Interruption()
    var reader = LineReader(reading, until: interruption)
    #expect(try reader.next()?.bytes == Array("a\n".utf8))
    interruption.interrupt(.failure(.outputClosed))
    try writing.write(Array("d\n".utf8)[...])
    #expect(try reader.next()?.bytes == Array("b\n".utf8))
    #expect(try reader.next()?.bytes == Array("c".utf8))
    #expect(try reader.next() == nil)
    #expect(reader.end == .interrupted)
  }
}
