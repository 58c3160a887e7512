/// The arguments of one script call, and the parser of its reply.
struct Inquiry: Sendable {
  /// One bucket of a call.
  struct Bucket: Sendable {
    let name: String
    let terms: BucketTerms
    /// The cost in units.
    let cost: Int64
  }

  let buckets: [Bucket]
  /// The maximum number of times to charge the cost; 0 to peek, -1 to reset the buckets.
  let count: Int
  /// The maximum wait for each, in microseconds of the server's clock.
  let wait: Int64

  init(_ buckets: [Bucket], count: Int, wait: Int64 = 0) {
    self.buckets = buckets
    self.count = count
    self.wait = wait
  }

  /// Asks for a cost of one bucket.
  init(_ name: String, _ terms: BucketTerms, cost: Int, count: Int = 1, wait: Int64 = 0) {
    self.init(
      [Bucket(name: name, terms: terms, cost: terms.units(cost))], count: count, wait: wait)
  }

  func call(_ script: ScriptCall.Script = .digest(LimitScript.digest)) -> ScriptCall {
    var arguments = ["\(count)", "\(wait)"]
    arguments.reserveCapacity(2 + 4 * buckets.count)
    for bucket in buckets {
      let terms = bucket.terms
      arguments += ["\(terms.speed)", "\(terms.period)", "\(terms.capacity)", "\(bucket.cost)"]
    }
    return ScriptCall(script: script, keys: buckets.map { $0.name }, arguments: arguments)
  }

  /// The parsed reply; nil if the script cannot have produced it.
  func reply(_ numbers: [Int64]) -> Reply? {
    if count < 0 {
      return numbers.count == 1 && numbers[0] >= 0 ? Reply(granted: 0, debts: []) : nil
    }
    guard numbers.count == buckets.count + 1, (0...Int64(count)).contains(numbers[0]),
      numbers.allSatisfy({ (0...BucketTerms.largest).contains($0) })
    else { return nil }
    let reply = Reply(granted: Int(numbers[0]), debts: Array(numbers.dropFirst()))
    return isCharged(by: reply) ? reply : nil
  }

  /// Whether each bucket owes what was granted; a penalty may owe the largest debt.
  private func isCharged(by reply: Reply) -> Bool {
    zip(buckets, reply.debts).allSatisfy { bucket, debt in
      wait > 0 && debt == BucketTerms.largest
        || Int128(reply.granted) * Int128(bucket.cost) <= debt
    }
  }

  /// The script's answer.
  struct Reply: Hashable, Sendable {
    /// How many times the cost was charged.
    let granted: Int
    /// The debt of each bucket after the charge.
    let debts: [Int64]
  }
}
