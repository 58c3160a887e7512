import Testing

@testable import pace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What macOS needs of the system's calls, and Linux does without.
@Suite("pace: other systems")
struct SystemTests {
  @Test("a wait asks for its event: for none, macOS would watch nothing")
  func events() {
    #expect(
      [Descriptor.Event.reading, .writing, .closing].allSatisfy { Descriptor.mask(of: $0) != 0 })
  }

  @Test(
    "an interrupt is the terminal's in its foreground group, where each process gets it",
    arguments: [(SIGINT, 7, 7, true), (SIGINT, 8, 7, false), (SIGINT, -1, 7, false)]
      + [(SIGTERM, 7, 7, false), (SIGHUP, 7, 7, false)])
  func interrupts(signal: Int32, foreground: pid_t, own: pid_t, isFromTerminal: Bool) {
    #expect(
      Signals.mayBeFromTerminal(signal, foreground: foreground, own: own) == isFromTerminal)
  }
}
