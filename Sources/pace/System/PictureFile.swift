#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import Diagrams

/// A file for a picture.
struct PictureFile: Sendable {
  private let path: Path
  private let descriptor: Descriptor

  /// Opens or creates the file; its content stays until something is written.
  ///
  /// - Throws: An error with the system's message if it cannot be written.
  init(_ path: Path) throws(CommandError) {
    self.path = path
    let number = path.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666) }
    descriptor = Descriptor(number: number)
    guard descriptor.number >= 0 else { throw Self.error(path, .last) }
  }

  /// Replaces the content of the file by the diagrams.
  ///
  /// - Throws: An error with the system's message if that fails.
  func write(_ diagrams: [Diagram]) throws(CommandError) {
    do throws(SystemError) {
      guard ftruncate(descriptor.number, 0) == 0 || errno == EINVAL else { throw .last }
      try descriptor.write(Array(Picture(diagrams).svg.utf8)[...])
    } catch {
      throw Self.error(path, error)
    }
  }

  private static func error(_ path: Path, _ error: SystemError) -> CommandError {
    CommandError("cannot write \(path.text.quoted): \(error)", status: .inputOutput)
  }
}
