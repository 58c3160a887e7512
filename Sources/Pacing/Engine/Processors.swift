/// How many processors the process may keep busy: of those online, the ones it may run on, and no
/// more than the CPU quota of its control groups (version 2) pays for.
///
/// The functions are pure: they are given the texts of the system's files.
package enum Processors {
  /// The number of processors, at least one, rounded up to whole ones; `text` returns the text of a
  /// file, nil if there is no such file.
  package static func count(online: Int, text: (_ path: String) -> String?) -> Int {
    let allowed = text("/proc/self/status").flatMap(allowedCount(status:))
    let quotas = text("/proc/self/cgroup").map { Self.quotas(membership: $0, text: text) } ?? []
    return max(1, min(online, allowed ?? online, quotas.min() ?? online))
  }

  /// How many processors the line `Cpus_allowed_list` of a status file lists, such as `0-3,8`.
  package static func allowedCount(status: String) -> Int? {
    let name = "Cpus_allowed_list:"
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
      return nil
    }
    var count = 0
    for range in line.dropFirst(name.count).filter({ !$0.isWhitespace }).split(separator: ",") {
      let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
        return nil
      }
      count += last - first + 1
    }
    return count > 0 ? count : nil
  }

  /// The quotas, in whole processors, of the group that a membership file names, and of the groups
  /// around it; in a container the file may name a group that only its host can see.
  private static func quotas(membership: String, text: (_ path: String) -> String?) -> [Int] {
    let prefix = "0::"
    return membership.split(separator: "\n").filter { $0.hasPrefix(prefix) }.flatMap { line in
      let names = line.dropFirst(prefix.count).split(separator: "/")
      return (0...names.count).compactMap { depth in
        let path = names.prefix(depth).reduce("/sys/fs/cgroup") { "\($0)/\($1)" }
        return text(path + "/cpu.max").flatMap(quota)
      }
    }
  }

  /// The processors that a quota pays for, rounded up; nil for `max`: no quota.
  ///
  /// A text such as `150000 100000` holds microseconds of processor time, and the period in which
  /// they may be used.
  package static func quota(_ text: String) -> Int? {
    let numbers = text.split(whereSeparator: { $0.isWhitespace }).map { Int($0) }
    guard numbers.count == 2, let time = numbers[0], let period = numbers[1], time > 0, period > 0
    else { return nil }
    return time / period + (time % period > 0 ? 1 : 0)
  }
}
