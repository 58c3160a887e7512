/// One case of a vector file, parsed without knowledge of its tool.
struct Vector: Sendable {
  let id: String
  let tool: String
  let fields: [String: JSON]

  init(_ json: JSON) throws(Obstacle) {
    guard let fields = json.members?.withoutNull(but: Self.nullable) else {
      throw .malformed("a case is no object")
    }
    guard let id = fields["id"]?.text else { throw .malformed("a case has no id") }
    guard let tool = fields["tool"]?.text else { throw .malformed("\(id) names no tool") }
    self.id = id
    self.tool = tool
    self.fields = fields
  }

  /// Whether the case states a rule in words, and not in its answer.
  var statesRule: Bool { fields["property"]?.flag == true }

  /// The fields in which null is an answer, that there is no end or a refusal; elsewhere it means
  /// absence.
  private static let nullable: Set = [
    "expect_end", "expect_end_timer_first", "expect_end_ours", "ours",
  ]

  /// The questions of the case, given the supported classes `unsupported-…`.
  ///
  /// A case asks one question unless it covers several tools or settings.
  func questions(features: Set<String>) throws(Obstacle) -> [Question] {
    if let struck = fields["struck"]?.text { throw .unsupported(struck) }
    if let ours = fields["ours"], ours != .null || fields["adopt"] == nil {
      return try contradiction(ours)
    }
    return [Question(tool: tool, config: try config, expected: try expected(features))]
  }

  private var config: [String: JSON] {
    get throws(Obstacle) {
      guard let config = fields["config"]?.members else { throw .malformed("config is no object") }
      return config
    }
  }

  // MARK: What binds

  private func expected(_ features: Set<String>) throws(Obstacle) -> Expected {
    // It needs a promise that is struck, whatever was adopted.
    if let struck = fields["struck"]?.text { throw .unsupported(struck) }
    guard let isAdopted = fields["adopt"]?.flag else { throw .malformed("adopt is missing") }
    if isAdopted { return try theirs() }
    guard let deviation = fields["deviation"]?.text else {
      throw .malformed("a case that is not adopted names no deviation")
    }
    guard deviation.hasPrefix(Self.unsupported) else { return try ours(deviation) }
    let feature = String(deviation.dropFirst(Self.unsupported.count))
    guard features.contains(feature) else { throw .unsupported(feature) }
    return try theirs()
  }

  private static let unsupported = "unsupported-"

  private func theirs() throws(Obstacle) -> Expected {
    var expected = try Expected(rows: fields["expect_timer_first"] ?? fields["expect"])
    expected.end = .of(fields["expect_end_timer_first"] ?? fields["expect_end"])
    expected.queries = try ExpectedRow.list(fields["queries"], "queries")
    expected.returns = try ExpectedRow.list(fields["op_returns"], "op_returns")
    expected.positions = fields["expect_at"]?.elements?.compactMap(\.count)
    if let total = fields["expect_total"] { expected.total = try Expected.range(total) }
    return expected
  }

  /// The answer of a named deviation; fields that it omits are the source's.
  private func ours(_ deviation: String) throws(Obstacle) -> Expected {
    guard ["expect_ours", "expect_end_ours", "queries_ours"].contains(where: { fields[$0] != nil })
    else { throw .unsupported(deviation) }
    var expected = try Expected(rows: fields["expect_ours"] ?? fields["expect"])
    expected.end = .of(fields["expect_end_ours"])
    expected.queries = try ExpectedRow.list(
      fields["queries_ours"] ?? fields["queries"], "queries")
    expected.returns = try ExpectedRow.list(fields["op_returns"], "op_returns")
    expected.positions = fields["expect_at"]?.elements?.compactMap(\.count)
    return expected
  }
}
