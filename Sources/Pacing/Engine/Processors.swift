/// How many processors the process may keep busy: of those online, the ones it may run on, and no
/// more than the CPU quota of its control groups pays for.
///
/// The functions are pure: they are given the texts of the system's files.
package enum Processors {
  /// The number of processors, at least one.
  ///
  /// - Parameters:
  ///   - online: How many the system has online.
  ///   - text: The text of a file; nil if there is no such file.
  /// - Returns: The number, rounded up to whole processors.
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
    for range in line.dropFirst(name.count).trimmingSpaces.split(separator: ",") {
      let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
        return nil
      }
      count += last - first + 1
    }
    return count > 0 ? count : nil
  }

  /// The quotas, in whole processors, of the groups that a membership file names, and of the groups
  /// around them; in a container the file may name groups that only its host can see.
  package static func quotas(membership: String, text: (_ path: String) -> String?) -> [Int] {
    membership.split(separator: "\n").flatMap { line -> [Int] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      if fields[1].isEmpty {
        return ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].flatMap { root in
          paths(to: fields[2], below: root).compactMap { text($0 + "/cpu.max").flatMap(quota) }
        }
      }
      guard fields[1].split(separator: ",").contains("cpu") else { return [] }
      return ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"].flatMap { root in
        paths(to: fields[2], below: root).compactMap { path in
          guard let quota = text(path + "/cpu.cfs_quota_us"),
            let period = text(path + "/cpu.cfs_period_us")
          else { return nil }
          return self.quota("\(quota) \(period)")
        }
      }
    }
  }

  /// The processors that a quota pays for, rounded up; nil for `max` and a negative one: no quota.
  ///
  /// A text such as `150000 100000` holds microseconds of processor time, and the period in which
  /// they may be used.
  package static func quota(_ text: String) -> Int? {
    let numbers = text.split(whereSeparator: { $0.isWhitespace }).map { Int($0) }
    guard numbers.count == 2, let time = numbers[0], let period = numbers[1], time > 0, period > 0
    else { return nil }
    return time / period + (time % period > 0 ? 1 : 0)
  }

  /// The directory of a group and of each group around it, the innermost first.
  private static func paths(to group: Substring, below root: String) -> [String] {
    let names = group.split(separator: "/")
    return (0...names.count).reversed().map { depth in
      names.prefix(depth).reduce(root) { "\($0)/\($1)" }
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    let text = drop(while: { $0.isWhitespace })
    return text.lastIndex { !$0.isWhitespace }.map { text[...$0] } ?? ""
  }
}
