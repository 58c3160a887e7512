import Dispatch
import Pacing

extension Session {
  /// Calls `onChange` for changes to files, until the work is interrupted; returns when it has
  /// begun.
  ///
  /// A watcher that fails interrupts the work.
  ///
  /// - Parameters:
  ///   - paths: the files, and the directories in which everything counts.
  ///   - filter: what does not count there.
  ///   - onChange: called on a thread of its own, one at a time, and soon after the changes.
  /// - Throws: an error where a path is not there, or cannot be watched.
  func watch(
    _ paths: [Path], ignoring filter: NameFilter, onChange: @escaping @Sendable () -> Void
  ) async throws(CommandError) {
    let beginning = OneShot<Result<Void, CommandError>>()
    // The wait blocks a thread for good, so it has a queue of its own.
    DispatchQueue(label: "pace.watch").async { [interruption] in
      do throws(CommandError) {
        let watcher = try FileWatcher(paths, ignoring: filter)
        beginning.resolve(.success(()))
        while try watcher.waitForChange(until: interruption) { onChange() }
      } catch {
        beginning.resolve(.failure(error))
        interruption.interrupt(.failure(error))
      }
    }
    try await beginning.outcome().get()
  }
}
