#if !canImport(Darwin)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Reports changes in files and below directories, by inotify.
  ///
  /// A watch reports the entries of one directory, so each directory below a root has a watch. The
  /// directories above a root have one too: the root may be replaced, or disappear and return, and
  /// so may each of them.
  ///
  /// Not thread-safe: it belongs to the thread that waits.
  final class FileWatcher {
    /// A watched directory.
    private struct Place {
      var path: Path
      /// Whether it is a root or below one: all its entries count.
      var isInTree = false
      /// The entries that count in any case: they are roots.
      var rootNames: Set<[UInt8]> = []
      /// The entries that lead to a root.
      var stepNames: Set<[UInt8]> = []
    }

    private let descriptor: Descriptor
    private let filter: NameFilter
    private var roots: [WatchRoot]
    private var places: [Int32: Place] = [:]

    private static let moves = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO

    /// Starts to watch.
    ///
    /// - Throws: An error if a path does not exist or cannot be watched.
    init(_ paths: [Path], ignoring filter: NameFilter) throws(CommandError) {
      self.filter = filter
      roots = []
      for path in paths { roots.append(try WatchRoot(path)) }
      let number = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      guard number >= 0 else { throw .unwatchable(paths[0], "\(SystemError.last)") }
      descriptor = Descriptor(number: number)
      try watchRoots()
      for root in roots where !isWatched(root) {
        throw .unwatchable(root.path, "it, or the directory it is in, cannot be read")
      }
    }

    deinit {
      descriptor.end()
    }

    /// Waits for changes.
    ///
    /// - Returns: The changed paths, as the command line spells them; nil after an interruption.
    func nextChanges(until interruption: Interruption) throws(CommandError) -> [Path]? {
      while true {
        let bytes: [UInt8]
        do {
          let waited = [
            (descriptor, Descriptor.Event.reading), (interruption.descriptor, .reading),
          ]
          if try Descriptor.wait(for: waited)[1] { return nil }
          bytes = try descriptor.read(atMost: 65_536)
        } catch {
          guard error.isInterruption || error.isNotReady else {
            throw .unwatchable(roots[0].path, "\(error)")
          }
          continue
        }
        var changed = [Path]()
        for event in FileEvent.parse(bytes) { changed += try receive(event) }
        if !changed.isEmpty { return changed }
      }
    }

    /// Updates the watches by an event.
    ///
    /// - Returns: The changed paths: none if the event does not count, all roots if events were
    ///   lost.
    private func receive(_ event: FileEvent) throws(CommandError) -> [Path] {
      if event.has(IN_Q_OVERFLOW) {
        try watchRoots()
        return roots.map(\.path)
      }
      if event.has(IN_IGNORED) { places[event.watch] = nil }
      guard let place = places[event.watch], !event.name.isEmpty else { return [] }
      let isRoot = place.rootNames.contains(event.name)
      let isStep = place.stepNames.contains(event.name) && event.has(Self.moves)
      let replaced = isStep ? try watchRoots() : []
      guard isRoot || (place.isInTree && !filter.ignores(event.name)) else { return replaced }
      let path = place.path.appending(event.name)
      if event.isAboutDirectory, event.has(IN_MOVED_FROM) { forget(path) }
      if event.isArrival {
        if isRoot { try watchRoots() }
        if event.isAboutDirectory, place.isInTree { try watchTree(path) }
      }
      return replaced + [roots.spelling(of: path)]
    }

    /// Watches the roots where they are now, and what leads to them, and nothing else.
    ///
    /// The outer directories come first, and the look at a root last: what arrives in between is
    /// reported by a watch, or found.
    ///
    /// - Returns: The roots at which another file is now, or none any more.
    @discardableResult
    private func watchRoots() throws(CommandError) -> [Path] {
      let before = places
      places = [:]
      for index in roots.indices {
        roots[index].renew()
        for (directory, name) in roots[index].steps {
          guard let watch = try watch(directory, for: Self.moves) else { continue }
          places[watch]?.stepNames.insert(name)
        }
        for (directory, name) in roots[index].entries {
          guard let watch = try watch(directory) else { continue }
          places[watch]?.rootNames.insert(name)
        }
        if let target = roots[index].target { try watchTree(target) }
      }
      for watch in before.keys where places[watch] == nil {
        inotify_rm_watch(descriptor.number, watch)
      }
      return roots.indices.filter { roots[$0].look() }.map { roots[$0].path }
    }

    /// Whether changes of the root are reported: in it, or in the directory that contains it.
    private func isWatched(_ root: WatchRoot) -> Bool {
      let isDirectory = root.target?.isDirectory ?? false
      return places.values.contains { place in
        isDirectory
          ? place.isInTree && place.path == root.target
          : root.entries.contains {
            $0.directory == place.path && place.rootNames.contains($0.name)
          }
      }
    }

    /// Watches a directory and those below it; a no-op for a file.
    ///
    /// Each is watched before it is read: later entries are reported, earlier ones are found.
    private func watchTree(_ root: Path) throws(CommandError) {
      var found = [root]
      while let path = found.popLast() {
        guard let watch = try watch(path) else { continue }
        places[watch]?.path = path
        places[watch]?.isInTree = true
        for entry in path.entries() where entry.isDirectory && !filter.ignores(entry.name) {
          found.append(path.appending(entry.name))
        }
      }
    }

    /// Watches the directory itself; idempotent.
    ///
    /// - Returns: The watch, or nil if the directory is gone or not readable.
    private func watch(
      _ path: Path, for events: Int32 = moves | IN_MODIFY | IN_ATTRIB
    ) throws(CommandError) -> Int32? {
      let mask = UInt32(events) | UInt32(IN_ONLYDIR | IN_EXCL_UNLINK | IN_MASK_ADD)
      let watch = path.withCString { inotify_add_watch(descriptor.number, $0, mask) }
      guard watch < 0 else {
        if places[watch] == nil { places[watch] = Place(path: path) }
        return watch
      }
      if SystemError.last.number == ENOSPC {
        throw .unwatchable(path, "too many directories; the limit is fs.inotify.max_user_watches")
      }
      return nil
    }

    /// Stops watching a directory that was moved away, and those below it.
    private func forget(_ path: Path) {
      for (watch, place) in places where place.isInTree && place.path.isWithin(path) {
        places[watch]?.isInTree = false
        if place.rootNames.isEmpty, place.stepNames.isEmpty {
          inotify_rm_watch(descriptor.number, watch)
        }
      }
    }
  }
#endif
