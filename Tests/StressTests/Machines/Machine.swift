import Foundation
import Pacing
import TestSupport

/// The machine that `PACING_MACHINE` names; its limits are set after the first timer has fired.
enum Machine {
  private static let name = ProcessInfo.processInfo.environment["PACING_MACHINE"] ?? ""

  /// Whether the system makes only a few threads.
  static var refusesThreads: Bool { name == "threads" || name == "memory" }

  /// How many handlers block at a time: fewer than there are threads.
  static var blocked: Int { refusesThreads ? 1 : 12 }

  private static let limited = Task {
    let fired = CountDown(1)
    let timer = DispatchTimer.scheduled(.once(after: .milliseconds(1))) { _ in fired.arrive() }
    await fired.wait()
    withExtendedLifetime(timer) {}
    #if os(Linux)
      switch name {
      case "descriptors": exhaustDescriptors()
      // Three more than there are: the runner's own tasks need some.
      case "threads": limit(threads, to: number(of: "Threads:") + 3)
      // Less than a stack of eight megabytes more than there is in use, in kilobytes.
      case "memory": limit(Int32(RLIMIT_AS.rawValue), to: (number(of: "VmSize:") + 7 * 1024) * 1024)
      default: break
      }
    #endif
  }

  /// Sets the machine's limits, once.
  static func prepare() async { await limited.value }

  #if os(Linux)
    /// `RLIMIT_NPROC`, which is not imported.
    private static let threads: Int32 = 6

    private static func exhaustDescriptors() {
      limit(Int32(RLIMIT_NOFILE.rawValue), to: 256)
      while open("/dev/null", O_RDONLY) >= 0 {}
    }

    private static func limit(_ resource: Int32, to most: Int) {
      var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
      precondition(setrlimit(resource, &limit) == 0, "the limit is refused")
    }

    /// A number of the process's status, such as its threads.
    private static func number(of name: String) -> Int {
      let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix(name) }
      return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
    }
  #endif
}
