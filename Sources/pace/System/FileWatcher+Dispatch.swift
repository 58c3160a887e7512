#if canImport(Darwin)
  import Darwin
  import Dispatch
  import Synchronization

  /// Reports changes in files and below directories, by Dispatch sources.
  ///
  /// The system reports a directory when its entries change and a file when its content does, so
  /// each of them has a source. The directories above a root have one too: the root may be
  /// replaced, or disappear and return, and so may each of them.
  ///
  /// Not thread-safe: it belongs to the thread that waits.
  final class FileWatcher {
    /// The paths that sources have reported since the last look.
    private final class Reports: Sendable {
      let paths = Mutex(Set<Path>())
      let bell: Descriptor

      init(bell: Descriptor) {
        self.bell = bell
      }

      func add(_ path: Path) {
        let isFirst = paths.withLock { paths in
          defer { paths.insert(path) }
          return paths.isEmpty
        }
        if isFirst { try? bell.write([0]) }
      }

      func takeAll() -> Set<Path> {
        paths.withLock { paths in
          defer { paths = [] }
          return paths
        }
      }
    }

    /// The file at a path.
    private struct File: Equatable {
      let number: UInt64
      let isDirectory: Bool
      /// Whether its changes count; otherwise it only leads to a root.
      let counts: Bool
    }

    private let filter: NameFilter
    private let descriptor: Descriptor
    private let reports: Reports
    private let queue = DispatchQueue(label: "pace.files")
    private var roots: [WatchRoot]
    private var files: [Path: File] = [:]
    private var sources: [Path: any DispatchSourceFileSystemObject] = [:]

    /// Starts to watch.
    ///
    /// - Throws: An error if a path does not exist or cannot be watched.
    init(_ paths: [Path], ignoring filter: NameFilter) throws(CommandError) {
      self.filter = filter
      roots = []
      for path in paths { roots.append(try WatchRoot(path)) }
      do {
        let pipe = try Descriptor.pipe()
        (descriptor, reports) = (pipe.reading, Reports(bell: pipe.writing))
      } catch {
        throw .unwatchable(paths[0], "\(error)")
      }
      _ = try renew()
    }

    /// Waits for changes.
    ///
    /// - Returns: The changed paths, as the command line spells them; nil after an interruption.
    func nextChanges(until interruption: Interruption) throws(CommandError) -> [Path]? {
      while true {
        do {
          let waited = [
            (descriptor, Descriptor.Event.reading), (interruption.descriptor, .reading),
          ]
          if try Descriptor.wait(for: waited)[1] { return nil }
          _ = try descriptor.read(atMost: 64)
        } catch {
          guard error.isInterruption || error.isNotReady else {
            throw .unwatchable(roots[0].path, "\(error)")
          }
          continue
        }
        // A directory may have been reported for an entry that does not count.
        let reported = reports.takeAll().filter { path in
          files[path].map { $0.counts && !$0.isDirectory } ?? false
        }
        let changed = try renew().union(reported)
        if !changed.isEmpty { return changed.map { roots.spelling(of: $0) } }
      }
    }

    /// Watches what is there now.
    ///
    /// - Returns: The paths at which something else was before.
    private func renew() throws(CommandError) -> Set<Path> {
      let found = findFiles()
      defer { files = found }
      for (path, file) in files where found[path]?.number != file.number {
        sources.removeValue(forKey: path)?.cancel()
      }
      for (path, file) in found where sources[path] == nil { try watch(path, file) }
      let (before, now) = (files.filter { $0.value.counts }, found.filter { $0.value.counts })
      return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }
    }

    private func findFiles() -> [Path: File] {
      var found = [Path: File]()
      for index in roots.indices {
        roots[index].renew()
        for (directory, _) in roots[index].steps + roots[index].entries {
          found[directory] = file(at: directory, counts: false)
        }
      }
      var left = roots.compactMap(\.target)
      while let path = left.popLast() {
        guard let file = file(at: path, counts: true) else { continue }
        found[path] = file
        guard file.isDirectory else { continue }
        for entry in path.entries() where !filter.ignores(entry.name) {
          left.append(path.appending(entry.name))
        }
      }
      return found
    }

    private func file(at path: Path, counts: Bool) -> File? {
      var information = stat()
      guard path.withCString({ lstat($0, &information) }) == 0 else { return nil }
      let kind = information.st_mode & S_IFMT
      return File(
        number: UInt64(information.st_ino), isDirectory: kind == S_IFDIR, counts: counts)
    }

    private func watch(_ path: Path, _ file: File) throws(CommandError) {
      let number = path.withCString { open($0, O_EVTONLY | O_SYMLINK | O_CLOEXEC) }
      guard number >= 0 else {
        let error = SystemError.last
        guard error.number == EMFILE || error.number == ENFILE else { return }
        throw .unwatchable(path, "too many files; the limit is that of ulimit -n")
      }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: number, eventMask: [.write, .extend, .attrib, .delete, .rename],
        queue: queue)
      source.setEventHandler { [reports] in reports.add(path) }
      source.setCancelHandler { close(number) }
      source.resume()
      sources[path] = source
    }
  }
#endif
