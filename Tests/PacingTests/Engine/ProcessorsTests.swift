import Pacing
import Testing

@Suite("Processors")
struct ProcessorsTests {
  private func count(online: Int, _ files: [String: String]) -> Int {
    Processors.count(online: online) { files[$0] }
  }

  @Test(
    "those that the process may run on are counted",
    arguments: [
      ("0-1", 2), ("0", 1), ("3,5", 2), ("0-3,8", 5), ("0-63,128-191", 128), ("7-9\t", 3),
    ])
  func affinity(list: String, count: Int) {
    let status = "Name:\tapp\nCpus_allowed:\tff\nCpus_allowed_list:\t\(list)\nMems_allowed:\t1\n"
    #expect(Processors.allowedCount(status: status) == count)
    #expect(self.count(online: 192, ["/proc/self/status": status]) == count)
    #expect(self.count(online: 1, ["/proc/self/status": status]) == 1)
  }

  @Test(
    "a list that cannot be read counts for nothing",
    arguments: ["", "x", "3-1", "1-", "0-x", ","])
  func unreadable(list: String) {
    #expect(Processors.allowedCount(status: "Cpus_allowed_list:\t\(list)\n") == nil)
    #expect(count(online: 4, ["/proc/self/status": "Cpus_allowed_list:\t\(list)\n"]) == 4)
  }

  @Test(
    "a quota is rounded up to whole processors",
    arguments: [
      ("200000 100000\n", 2), ("150000 100000\n", 2), ("100001 100000", 2), ("1000 100000", 1),
      ("max 100000\n", nil), ("-1\n 100000\n", nil), ("0 100000", nil), ("100000", nil), ("", nil),
    ] as [(String, Int?)])
  func quota(text: String, count: Int?) {
    #expect(Processors.quota(text) == count)
  }

  @Test("the least quota of a group and of those around it counts")
  func groups() {
    let files = [
      "/proc/self/cgroup": "0::/a/b\n",
      "/sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/a/cpu.max": "250000 100000\n",
      "/sys/fs/cgroup/cpu.max": "800000 100000\n",
    ]
    #expect(count(online: 16, files) == 3)
    #expect(count(online: 2, files) == 2)
  }

  @Test("a container sees its quota at the root, whatever its host calls the group")
  func container() {
    let files = [
      "/proc/self/cgroup": "0::/docker/4f1c\n", "/sys/fs/cgroup/cpu.max": "50000 100000\n",
    ]
    #expect(count(online: 64, files) == 1)
  }

  @Test("groups of version 1 have no quota that counts")
  func version1() {
    let files = [
      "/proc/self/cgroup": "4:cpu,cpuacct:/x\n0::/x\n",
      "/sys/fs/cgroup/x/cpu.max": "350000 100000\n",
    ]
    #expect(count(online: 64, files) == 4)
  }

  @Test("without any of the files all that are online count, and at least one")
  func nothing() {
    #expect(count(online: 8, [:]) == 8)
    #expect(count(online: -1, [:]) == 1)
    #expect(count(online: 8, ["/proc/self/cgroup": "nonsense\n::\n"]) == 8)
  }
}
