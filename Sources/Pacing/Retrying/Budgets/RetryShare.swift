/// Retries as a share of the operations of a sliding window, in millionths of a retry.
///
/// The window moves in ten steps: what a step counted is forgotten as a whole.
struct RetryShare: RetryBudgetState {
  private static let steps = 10
  private static let retry: Int64 = 1_000_000

  private let perOperation: Int64
  private let reserve: Int64
  private let step: Nanoseconds
  /// The balance of each step, in a ring.
  private var balances = [Int64](repeating: 0, count: steps)
  private var balance: Int64 = 0
  private var current: Int64
  private var latest: PacingInstant

  /// Begins with an empty window.
  init(share: Double, floor: Rate, window: Nanoseconds, at now: PacingInstant) {
    perOperation = Int64((share * Double(Self.retry)).rounded())
    // An unlimited rate brings its tokens in no time.
    let spare =
      floor.nanoseconds == 0
      ? Int128(Int64.max) : Int128(window) * Int128(floor.tokens) / Int128(floor.nanoseconds)
    reserve = Int64(clamping: spare).multiplied(by: Self.retry)
    step = max(1, window / Int64(Self.steps))
    latest = now
    current = now.nanoseconds / step
  }

  mutating func available(at now: PacingInstant) -> Int {
    advance(to: now)
    return Int(clamping: max(0, left) / Self.retry)
  }

  mutating func began(at now: PacingInstant) {
    advance(to: now)
    add(perOperation)
  }

  mutating func take(_ cost: Int?, at now: PacingInstant) -> RetryLoan? {
    advance(to: now)
    guard left >= Self.retry else { return nil }
    add(-Self.retry)
    return RetryLoan(units: 1, step: current)
  }

  /// Gives a retry back to the step that it was taken from; one that has left the window has been
  /// forgotten with what was taken from it.
  mutating func giveBack(_ loan: RetryLoan, at now: PacingInstant) {
    advance(to: now)
    guard loan.step > current - Int64(Self.steps) else { return }
    add(Self.retry, to: loan.step)
  }

  func succeeded(after loan: RetryLoan?) {}

  private var left: Int64 { balance.adding(reserve) }

  private mutating func add(_ amount: Int64, to step: Int64? = nil) {
    balance = balance.adding(amount)
    balances[Int((step ?? current).magnitude % UInt64(Self.steps))] += amount
  }

  /// Forgets the steps that have left the window; time that goes back counts as standing still.
  private mutating func advance(to now: PacingInstant) {
    latest = max(latest, now)
    let newest = latest.nanoseconds / step
    guard newest > current else { return }
    for number in max(current + 1, newest - Int64(Self.steps) + 1)...newest {
      let index = Int(number.magnitude % UInt64(Self.steps))
      balance -= balances[index]
      balances[index] = 0
    }
    current = newest
  }
}
