import Foundation

/// Constants of sockets whose types differ between systems.
package enum Sockets {
  #if canImport(Glibc)
    package static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    package static let stream = SOCK_STREAM
  #endif

  /// The flag of a write that raises no signal if nothing reads.
  #if canImport(Darwin)
    package static let noSignal: Int32 = 0
  #else
    package static let noSignal = Int32(MSG_NOSIGNAL)
  #endif
}
