/// Why a value was not delivered.
///
/// New reasons may be added: a `switch` over them needs a `default`.
public struct DropReason: Hashable, Sendable {
  private enum Reason: UInt8, CaseIterable {
    case cancelled
    case finished
    case disabled
    case edge
    case busy
    case overflow
    case noConsumer
    case deinitialized
  }

  private let reason: Reason

  /// It was withdrawn by `cancel()` or `reset()`, which may have returned it.
  public static var cancelled: DropReason { DropReason(reason: .cancelled) }

  /// It came after `finish(_:)`, or was dropped by it.
  public static var finished: DropReason { DropReason(reason: .finished) }

  /// It came while the tool was not enabled.
  public static var disabled: DropReason { DropReason(reason: .disabled) }

  /// It came inside a window, and the tool has only a leading edge.
  public static var edge: DropReason { DropReason(reason: .edge) }

  /// It fell due while another run of the handler had not ended, under `Overlap.dropNew`.
  public static var busy: DropReason { DropReason(reason: .busy) }

  /// There was no room: for a further batch, or a further key.
  public static var overflow: DropReason { DropReason(reason: .overflow) }

  /// It fell due, and nobody was there: neither a stream nor a handler, or the actor that the
  /// handler belongs to had gone.
  public static var noConsumer: DropReason { DropReason(reason: .noConsumer) }

  /// It was pending when the last reference to the tool went.
  public static var deinitialized: DropReason { DropReason(reason: .deinitialized) }

  static var all: [DropReason] { Reason.allCases.map { DropReason(reason: $0) } }
  static var count: Int { Reason.allCases.count }
  var index: Int { Int(reason.rawValue) }
}

extension DropReason: CustomStringConvertible {
  /// The reason's name.
  public var description: String { "\(reason)" }
}
