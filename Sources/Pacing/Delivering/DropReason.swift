/// Why a value was not delivered.
public enum DropReason: Int, Hashable, Sendable, CaseIterable {
  /// Withdrawn by `cancel()` or `reset()`, which may have returned the value.
  case cancelled

  /// Sent after `finish(_:)`, or dropped by it.
  case finished

  /// Sent inside a window, or while a value waits, to a tool with only a leading edge.
  case edge

  /// Due while the handler was still running, under ``Overlap/dropNew``.
  case busy

  /// No room for one more batch or key.
  case overflow

  /// No room for one more key while too many deliveries run; see ``KeyedPacingTool``.
  case full

  /// Due when there was neither a stream nor a handler, or when the handler's owner was gone.
  case noConsumer

  /// Pending when the tool's last reference was released.
  case deinitialized
}
