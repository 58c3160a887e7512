import Foundation
import Pacing

/// A line of the server's record: what it did, to what, and two readings of the monotonic clock, in
/// nanoseconds, between which it did that.
struct Note: Sendable {
  let kind: String
  let name: String
  let begin: Int
  let end: Int

  /// Appends what has been done since `begin`; the line outlives a server that is killed.
  static func write(_ kind: String, _ names: [String], since begin: Int = monotonicTime()) {
    let times = "\(begin) \(monotonicTime())"
    let lines = names.map { "\(kind) \($0) \(times)\n" }.joined()
    FileHandle.standardOutput.write(Data(lines.utf8))
  }

  /// The lines of a record, but for one that a kill has cut off.
  static func read(_ record: URL) throws -> [Note] {
    let lines = try String(contentsOf: record, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    return try lines.dropLast().map { line in
      let words = line.split(separator: " ")
      guard words.count == 4, let begin = Int(words[2]), let end = Int(words[3]) else {
        throw Wrong(description: "the server printed: \(line)")
      }
      return Note(kind: String(words[0]), name: String(words[1]), begin: begin, end: end)
    }
  }
}

/// The monotonic clock, read without the library.
func monotonicTime() -> Int { time(of: CLOCK_MONOTONIC) }

/// How far the wall clock is ahead of the monotonic one, in seconds.
func wallOffset() -> Int { (time(of: CLOCK_REALTIME) - monotonicTime()) / 1_000_000_000 }

private func time(of clock: clockid_t) -> Int {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

/// What a token bucket allows.
struct Bound: Sendable {
  let perSecond: Int
  let burst: Int

  var quota: Quota { Quota(rate: .perSecond(perSecond), burst: burst) }

  /// Demands that no window holds more than the burst and what accrues in the window.
  ///
  /// A window from the beginning of one note to the end of a later one holds all notes between.
  func check(_ notes: [Note], of name: String) throws {
    var (least, latest) = (Int.max, Int.min)
    for (index, note) in notes.sorted(by: { $0.begin < $1.begin }).enumerated() {
      least = min(least, index * 1_000_000_000 - perSecond * note.begin)
      latest = max(latest, note.end)
      let count = (index + 1) * 1_000_000_000 - perSecond * latest - least
      try demand(
        count <= burst * 1_000_000_000,
        "\(name): \(Double(count) / 1e9) more than accrued, of a burst of \(burst)")
    }
  }
}
