import Testing

@testable import pace

@Suite("NameFilter")
struct NameFilterTests {
  private func ignores(_ name: String, _ filter: NameFilter) -> Bool {
    filter.ignores(Array(name.utf8))
  }

  @Test("leaves out hidden files and backups, unless all count")
  func hidden() {
    for name in [".git", ".", ".main.swift.swp", "main.swift~", "~"] {
      #expect(ignores(name, NameFilter()))
      #expect(!ignores(name, NameFilter(includesHidden: true)))
    }
    for name in ["main.swift", "a.b", "~a", "a~b"] { #expect(!ignores(name, NameFilter())) }
  }

  @Test(
    "leaves out what a pattern describes, the whole name",
    arguments: [
      ("build", "build", true), ("build", "builds", false), ("build", "rebuild", false),
      ("*.o", "a.o", true), ("*.o", ".o", true), ("*.o", "a.oo", false), ("*.o", "a.o.o", true),
      ("a?c", "abc", true), ("a?c", "ac", false), ("?", "", false), ("*", "", true),
      ("a*b*c", "aXbXc", true), ("a*b*c", "aXbX", false), ("a*b*c", "abbbcbc", true),
      ("*", "anything", true), ("**", "a", true), ("x*", "x", true), ("", "", false),
      ("a,*.o,b", "c.o", true), ("a,*.o,b", "b", true), (",,a,", "a", true), ("a,b", "a,b", false),
    ])
  func patterns(patterns: String, name: String, isIgnored: Bool) {
    let filter = NameFilter(ignoring: Array(patterns.utf8), includesHidden: true)
    #expect(ignores(name, filter) == isIgnored)
  }

  @Test("many stars take no more than a moment")
  func stars() {
    let pattern = Array((String(repeating: "*a", count: 60) + "b").utf8)
    #expect(!ignores(String(repeating: "a", count: 20_000), NameFilter(ignoring: pattern)))
  }
}

@Suite("Path")
struct PathTests {
  @Test(
    "knows the directory that it is an entry of",
    arguments: [
      ("a", ".", "a"), ("a/b", "a/", "b"), ("/a", "/", "a"), ("/a/b/", "/a/", "b"),
      ("./a//", "./", "a"), ("../a", "../", "a"), ("..a", ".", "..a"),
    ])
  func entry(path: String, directory: String, name: String) throws {
    let entry = try #require(Path(path).entry)
    #expect(entry.directory.text == directory && entry.name == Array(name.utf8))
  }

  @Test("has none where it does not say", arguments: ["", "/", "//", ".", "..", "a/..", "a/./"])
  func noEntry(path: String) {
    #expect(Path(path).entry == nil)
  }

  @Test("appends names, and knows what is below it")
  func below() {
    #expect(Path("/").appending([97]) == Path("/a"))
    #expect(Path("/a").appending([0xFF]).bytes == Array("/a/".utf8) + [0xFF])
    #expect(Path("/a/b").isWithin(Path("/a")) && Path("/a").isWithin(Path("/a")))
    #expect(!Path("/ab").isWithin(Path("/a")) && !Path("/a").isWithin(Path("/a/b")))
  }
}

#if os(Linux)
  @Suite("FileEvent")
  struct FileEventTests {
    private func bytes(_ watch: Int32, _ mask: UInt32, _ name: String, padding: Int) -> [UInt8] {
      let name = Array(name.utf8) + [UInt8](repeating: 0, count: padding)
      return [UInt32(bitPattern: watch), mask, 0, UInt32(name.count)].flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      } + name
    }

    @Test("reads the events of one read, and leaves half ones alone")
    func parse() {
      let events =
        bytes(3, 0x100, "a", padding: 15) + bytes(-1, 0x4000, "", padding: 0)
        + bytes(7, 0x4000_0080, "name", padding: 4)
      let parsed = FileEvent.parse(events)
      #expect(parsed.map(\.watch) == [3, -1, 7])
      #expect(parsed.map { String(decoding: $0.name, as: UTF8.self) } == ["a", "", "name"])
      #expect(parsed.map(\.isArrival) == [true, false, true])
      #expect(parsed.map(\.isAboutDirectory) == [false, false, true])
      for length in 0..<events.count { _ = FileEvent.parse(Array(events.prefix(length))) }
      #expect(FileEvent.parse(Array(events.prefix(15))).isEmpty)
    }
  }
#endif
