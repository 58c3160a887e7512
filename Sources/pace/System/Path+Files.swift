#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Path {
  /// What a directory has in it.
  struct Entry {
    let name: [UInt8]
    let isDirectory: Bool
  }

  /// What distinguishes a file from the one that takes its place.
  struct Identity: Equatable {
    fileprivate let device: UInt64
    fileprivate let number: UInt64
  }

  /// The same file by the path that has no links in it.
  func resolved() throws(SystemError) -> Path {
    guard let found = withCString({ realpath($0, nil) }) else { throw .last }
    defer { free(found) }
    return Path((0..<strlen(found)).map { UInt8(bitPattern: found[$0]) })
  }

  /// Whether it is a directory, not a link to one.
  var isDirectory: Bool { kind == S_IFDIR }

  /// The file that it leads to, or nil if there is none.
  var identity: Identity? {
    var information = stat()
    guard withCString({ stat($0, &information) }) == 0 else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: information.st_dev), number: UInt64(information.st_ino))
  }

  /// The present entries of the directory; none if it cannot be read.
  func entries() -> [Entry] {
    guard let directory = withCString({ opendir($0) }) else { return [] }
    defer { closedir(directory) }
    var entries = [Entry]()
    while let found = readdir(directory) {
      let start = UnsafeRawPointer(found) + MemoryLayout<dirent>.offset(of: \.d_name)!
      let characters = start.assumingMemoryBound(to: CChar.self)
      let name = (0..<strlen(characters)).map { UInt8(bitPattern: characters[$0]) }
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      let type = Int(found.pointee.d_type)
      let isDirectory =
        type == Int(DT_UNKNOWN) ? appending(name).isDirectory : type == Int(DT_DIR)
      entries.append(Entry(name: name, isDirectory: isDirectory))
    }
    return entries
  }

  /// Calls `body` with the path as a C string.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
  }

  private var kind: mode_t? {
    var information = stat()
    guard withCString({ lstat($0, &information) }) == 0 else { return nil }
    return information.st_mode & S_IFMT
  }
}
