#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import Diagrams

/// A file that a picture will be written to.
struct PictureFile: Sendable {
  private let path: String
  private let descriptor: Descriptor

  /// Opens the file, or makes it; what it has stays until something is written.
  ///
  /// - Throws: an error with the system's words where it cannot be written.
  init(_ path: String) throws(CommandError) {
    self.path = path
    descriptor = Descriptor(number: open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666))
    guard descriptor.number >= 0 else { throw Self.error(path, .last) }
  }

  /// Writes the diagrams, in place of what the file had.
  ///
  /// - Throws: an error with the system's words where that fails.
  func write(_ diagrams: [Diagram]) throws(CommandError) {
    do throws(SystemError) {
      guard ftruncate(descriptor.number, 0) == 0 || errno == EINVAL else { throw .last }
      try descriptor.write(Array(Picture(diagrams).svg.utf8)[...])
    } catch {
      throw Self.error(path, error)
    }
  }

  private static func error(_ path: String, _ error: SystemError) -> CommandError {
    CommandError("cannot write \(path.quoted): \(error)", status: .inputOutput)
  }
}
