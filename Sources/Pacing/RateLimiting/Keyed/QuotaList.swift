/// The quotas of a table's entries, with a number for each, as a pure value.
///
/// There are fewer numbers than there may be quotas, so that one takes a byte.
struct QuotaList {
  typealias Number = UInt8

  /// The number of all quotas for which there is no other.
  static var unknown: Number { .max }

  private var quotas = [Quota?]()
  private var numbers = [Quota: Number]()
  /// The number of new quotas until unused ones are looked for again.
  private var searchDelay = 0

  /// The quota of a number, nil if it is not known.
  subscript(number: Number) -> Quota? {
    number < quotas.count ? quotas[Int(number)] : nil
  }

  /// The number of a quota of an entry of a table.
  mutating func number(of quota: Quota, in table: BucketTable) -> Number {
    if let number = number(of: quota) { return number }
    // A search looks at all entries, so there is at most one for as many quotas.
    searchDelay -= 1
    guard searchDelay < 0 else { return Self.unknown }
    searchDelay = table.count
    keep(table.usedQuotas)
    return number(of: quota) ?? Self.unknown
  }

  /// The number of a quota; nil if there is none, and all are taken.
  private mutating func number(of quota: Quota) -> Number? {
    if let known = numbers[quota] { return known }
    if let free = quotas.firstIndex(of: nil) {
      quotas[free] = quota
      numbers[quota] = Number(free)
    } else {
      guard quotas.count < Int(Self.unknown) else { return nil }
      numbers[quota] = Number(quotas.count)
      quotas.append(quota)
    }
    return numbers[quota]
  }

  /// Forgets the quotas that are not in use.
  private mutating func keep(_ used: Set<Number>) {
    numbers = numbers.filter { used.contains($0.value) }
    for index in quotas.indices where !used.contains(Number(index)) { quotas[index] = nil }
  }
}
