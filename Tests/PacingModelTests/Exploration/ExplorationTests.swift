import Pacing
import TestSupport
import Testing

/// Every order of the steps of a few threads, over the parts that no single lock makes simple.
///
/// `.ci/soak explore` takes more threads.
@Suite("Every interleaving")
struct ExplorationTests {
  /// Whether the full counts are wanted, with at least a million schedules of each model.
  private static let isSoak = Soak.scale > 4

  private func expectNothing<Model>(_ explorer: Explorer<Model>) {
    #expect(explorer.isExhaustive, "\(explorer)")
    guard Self.isSoak else { return }
    print("explore: \(explorer)")
    #expect(explorer.schedules >= 1_000_000, "\(explorer)")
  }

  // MARK: One-shots

  @Test("a sleep that ends and is cancelled by several threads returns once, and leaves nothing")
  func oneShot() {
    expectNothing(Explorer(OneShotModel(cancellers: Self.isSoak ? 6 : 3)))
  }

  @Test(
    "a one-shot with a fault is found out",
    arguments: [OneShotModel.Fault.looksBeforeItWaits, .forgetsTheWaiter, .resolvesTwice])
  func oneShotFault(fault: OneShotModel.Fault) {
    let explorer = Explorer(OneShotModel(cancellers: 1, fault: fault))
    #expect(explorer.failure != nil, "\(explorer)")
  }

  // MARK: Arming

  static let armings: [(plans: [[Int]], again: Int?, lead: Int)] =
    isSoak
    ? [
      ([[2, 1], [3, 1], [1, 2]], nil, 0), ([[3], [2], [1], [2]], 3, 1),
      ([[2, -2, 1], [1, -1, 2]], 2, 0), ([[4, 1], [3, -3], [2, 2]], 4, 1),
    ]
    : [([[2, 1], [1]], nil, 0), ([[2, -2], [1]], 2, 1), ([[3], [2], [1]], nil, 0)]

  @Test("no deadline is lost, whatever adds, removes and fires", arguments: armings.indices)
  func arming(index: Int) {
    let (plans, again, lead) = Self.armings[index]
    expectNothing(Explorer(ArmingModel(plans: plans, again: again, lead: lead)))
  }

  @Test("arming with a fault is found out", arguments: ArmingModel.Fault.allCases)
  func armingFault(fault: ArmingModel.Fault) {
    let explorer = Explorer(ArmingModel(plans: [[2, 2], [1]], fault: fault))
    #expect(explorer.failure != nil, "\(explorer)")
  }

  // MARK: Mailboxes

  @Test(
    "no element and no consumer is left behind, if the stream ends or its consumer leaves",
    arguments: [true, false], [true, false])
  func mailbox(merges: Bool, leaves: Bool) {
    let (consumers, elements) = Self.isSoak ? (4, 6) : (2, 3)
    expectNothing(
      Explorer(
        MailboxModel(
          consumers: consumers, wishes: Self.isSoak ? 3 : 2, elements: elements, merges: merges,
          leaves: leaves)))
  }

  @Test("a mailbox with a fault is found out", arguments: MailboxModel.Fault.allCases)
  func mailboxFault(fault: MailboxModel.Fault) {
    let explorer = Explorer(
      MailboxModel(consumers: 1, wishes: 2, elements: 1, merges: true, leaves: false, fault: fault))
    #expect(explorer.failure != nil, "\(explorer)")
  }

  // MARK: Threads

  private static let (short, long): (Nanoseconds, Nanoseconds) = (1_000, 1_000_000)

  /// The pieces of two producers: short and long ones, and one that another, added later, frees.
  private static func plans(_ count: Int) -> [[WorkersModel.Piece]] {
    let blocked = WorkersModel.Piece(length: long, blockedUntil: count)
    let first = (1..<count).map { number in
      WorkersModel.Piece(length: number.isMultiple(of: 2) ? long : short)
    }
    return [[blocked] + first, [.init(length: short), .init(length: long)]]
  }

  static let sizes: [(width: Int, limit: Int, refusals: Int)] =
    isSoak
    ? [(1, 2, 1), (1, 3, 0), (1, 3, 1), (2, 2, 0), (2, 2, 1), (2, 4, 0)]
    : [(1, 2, 0), (1, 2, 1), (2, 2, 0)]

  @Test(
    "every piece begins while a thread is left, whatever blocks and whatever thread is refused",
    arguments: sizes.indices)
  func workers(index: Int) {
    let (width, limit, refusals) = Self.sizes[index]
    let plans = Self.plans(Self.isSoak ? 3 : 2)
    expectNothing(
      Explorer(WorkersModel(width: width, limit: limit, plans: plans, refusals: refusals)))
  }

  @Test("a hand-over with a fault is found out", arguments: WorkersModel.Fault.allCases)
  func workersFault(fault: WorkersModel.Fault) {
    let explorer = Explorer(WorkersModel(width: 1, limit: 2, plans: Self.plans(2), fault: fault))
    #expect(explorer.failure != nil, "\(explorer)")
  }
}
