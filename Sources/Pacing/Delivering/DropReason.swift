/// Why a value was not delivered.
///
/// New reasons may be added, so a `switch` needs a `default`.
public struct DropReason: Hashable, Sendable, CustomStringConvertible {
  private enum Reason: UInt8, CaseIterable {
    case cancelled
    case finished
    case edge
    case busy
    case overflow
    case full
    case noConsumer
    case deinitialized
  }

  private let reason: Reason

  /// Withdrawn by `cancel()` or `reset()`, which may have returned the value.
  public static var cancelled: DropReason { DropReason(reason: .cancelled) }

  /// Sent after `finish(_:)`, or dropped by it.
  public static var finished: DropReason { DropReason(reason: .finished) }

  /// Sent inside a window to a tool with only a leading edge.
  public static var edge: DropReason { DropReason(reason: .edge) }

  /// Due while the handler was still running, under ``Overlap/dropNew``.
  public static var busy: DropReason { DropReason(reason: .busy) }

  /// No room for one more batch or key.
  public static var overflow: DropReason { DropReason(reason: .overflow) }

  /// No room for one more key because the maximum number of deliveries is decided or running; see
  /// ``WhenKeysFull/flush``.
  public static var full: DropReason { DropReason(reason: .full) }

  /// Due when there was neither a stream nor a handler, or when the handler's owner was gone.
  public static var noConsumer: DropReason { DropReason(reason: .noConsumer) }

  /// Pending when the tool's last reference was released.
  public static var deinitialized: DropReason { DropReason(reason: .deinitialized) }

  static var all: [DropReason] { Reason.allCases.map { DropReason(reason: $0) } }
  static var count: Int { Reason.allCases.count }
  var index: Int { Int(reason.rawValue) }

  /// The reason's name.
  public var description: String { "\(reason)" }
}
