import Pacing
import Dispatch

extension Session {
  /// Calls `onChange` for changes to files until the work is interrupted; returns when it has
  /// started to watch.
  ///
  /// A watcher that fails later interrupts the work.
  ///
  /// - Parameters:
  ///   - paths: The files, and the directories in which everything counts.
  ///   - filter: The names that are ignored there.
  ///   - onChange: Called with the changed paths, on one thread, soon after the changes.
  /// - Throws: An error if a path does not exist or cannot be watched.
  func watch(
    _ paths: [Path], ignoring filter: NameFilter,
    onChange: @escaping @Sendable ([Path]) -> Void
  ) async throws(CommandError) {
    let beginning = OneShot<Result<Void, CommandError>>()
    // The wait blocks a thread until the end, so it has a queue of its own.
    DispatchQueue(label: "pace.watch").async { [interruption] in
      do throws(CommandError) {
        let watcher = try FileWatcher(paths, ignoring: filter)
        beginning.resolve(.success(()))
        while let changed = try watcher.nextChanges(until: interruption) { onChange(changed) }
      } catch {
        if !beginning.resolve(.failure(error)) { interruption.interrupt(.failure(error)) }
      }
    }
    try await beginning.outcome().get()
  }
}
