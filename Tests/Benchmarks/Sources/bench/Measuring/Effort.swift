/// How much is measured.
struct Effort {
  /// How often each row has its turn.
  var rounds: Int

  /// How many batches a row has in its turn; the fastest counts.
  let batches: Int

  /// By how much a batch is made smaller.
  let divisor: Int

  static let standard = Effort(rounds: 15, batches: 12, divisor: 1)

  /// Everything once and small: whether it works.
  static let smoke = Effort(rounds: 1, batches: 2, divisor: 50)
}
