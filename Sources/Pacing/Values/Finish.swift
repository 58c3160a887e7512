/// What `finish(_:)` does with what a tool holds: by default a debouncer and a batcher deliver it
/// at once, a throttler and an auditor when it is due, and a sampler discards it.
public enum Finish: Hashable, Sendable {
  /// Delivers it when it is due.
  case whenDue

  /// Delivers it immediately.
  case atOnce

  /// Drops it.
  case discard
}
