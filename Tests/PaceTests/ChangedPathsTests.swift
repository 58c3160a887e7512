import Testing

@testable import pace

@Suite("ChangedPaths")
struct ChangedPathsTests {
  private let roots = [Path("Sources"), Path("Tests")]

  private func words(_ text: String) -> [[UInt8]] {
    text.split(separator: " ").map { Array($0.utf8) }
  }

  @Test("are the paths of all changes, each once, in order")
  func adds() {
    let first = ChangedPaths([Path("b"), Path("a")], below: roots)
    let changed = first.adding(ChangedPaths([Path("b"), Path("c")], below: roots))
    #expect(changed.all == [Path("b"), Path("a"), Path("c")])
    #expect(first.all == [Path("b"), Path("a")])
  }

  @Test("are the watched paths if there are none, or more than a command line can hold")
  func falls() {
    #expect(ChangedPaths(below: roots).all == roots)
    let many = ChangedPaths(
      (0..<10_000).map { Path("a file with a long name \($0)") }, below: roots)
    #expect(many.all == roots)
    let one = ChangedPaths([Path("a")], below: roots)
    #expect(one.adding(many).all == roots && many.adding(one).all == roots)
  }

  @Test("are none if even the watched paths are too many for a variable")
  func bounds() {
    // The system's limit for NAME=value and a zero.
    let most = 131_072 - "PACE_CHANGED=".utf8.count - 1
    let name = Array(repeating: UInt8(ascii: "x"), count: most / 2)
    let fitting = ChangedPaths(below: [Path(name), Path(Array(name.dropLast(2)))])
    let fit = fitting.all.count
    #expect(fit == 2)
    let surplus = ChangedPaths(below: [Path(name), Path(name)])
    let left = surplus.all.count
    #expect(left == 0)
    let one = surplus.adding(ChangedPaths([Path("a")], below: []))
    #expect(one.all == [Path("a")])
  }

  @Test("replace each word that is a pair of braces, and are in the environment")
  func command() {
    let paths = [Path("a b"), Path("c")]
    let command = ChangedPaths.command(words("lint {} --to x{}y {}"), for: paths)
    #expect(
      command.words == ["lint", "a b", "c", "--to", "x{}y", "a b", "c"].map { Array($0.utf8) })
    #expect(command.environment == ["PACE_CHANGED": Array("a b\nc".utf8)])
    #expect(!command.hasOwnGroup)
  }
}

@Suite("WatchRoot")
struct WatchRootTests {
  @Test(
    "spells a path below it as the command line does",
    arguments: [
      (".", "./a/b"), ("./", "./a/b"), ("..", "../a/b"), ("/", "/a/b"), ("/tmp", "/tmp/a/b"),
    ])
  func spelling(root: String, expected: String) throws {
    let root = try WatchRoot(Path(root))
    let target = try #require(root.target)
    #expect(root.spelling(of: target.appending(Array("a/b".utf8)))?.text == expected)
    #expect(root.spelling(of: target) == root.path)
  }

  @Test("does not know what is not below it")
  func elsewhere() throws {
    let root = try WatchRoot(Path("/tmp"))
    #expect(root.spelling(of: Path("/tmpx/a")) == nil)
    #expect([root].spelling(of: Path("/tmpx/a")) == Path("/tmpx/a"))
  }
}

@Suite("OwnProcess.environment")
struct EnvironmentTests {
  @Test("has the added variable once, and what it had")
  func adds() {
    let before = OwnProcess.environment(adding: ["PATH": []])
    let after = OwnProcess.environment(adding: ["PATH": [0xFF], "PACE_X": []])
    #expect(after.count { $0.starts(with: Array("PATH=".utf8)) } == 1)
    #expect(after.contains(Array("PATH=".utf8) + [0xFF]) && after.contains(Array("PACE_X=".utf8)))
    #expect(after.count == before.count + 1)
  }
}

@Suite("Countdown")
struct CountdownTests {
  @Test(
    "says the time that is left in whole seconds, rounded up",
    arguments: [
      (Duration.milliseconds(1_001), "next in 2s"), (.seconds(1), "next in 1s"),
      (.seconds(120), "next in 2m"), (.milliseconds(-5), "next in 1s"),
    ])
  func line(left: Duration, expected: String) {
    #expect(Countdown.line("next", left) == expected)
  }
}
