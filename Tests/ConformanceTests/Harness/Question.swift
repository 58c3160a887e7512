/// A tool, its settings, and the binding answer.
struct Question: Sendable {
  let tool: String
  let config: [String: JSON]
  let expected: Expected
}

/// The binding answer.
struct Expected: Sendable {
  let rows: [ExpectedRow]
  var end = End.unchecked
  var queries: [ExpectedRow]?
  var returns: [ExpectedRow]?
  /// The input indices of the rows; nil if all are in order.
  var positions: [Int]?
  /// The number of granted requests; the rows may then be absent.
  var total: ClosedRange<Int>?

  enum End: Sendable {
    case unchecked
    case none
    case at(JSON)

    static func of(_ json: JSON?) -> End {
      switch json {
      case nil: .unchecked
      case .null: .none
      case let row?: .at(row)
      }
    }
  }

  init(rows: [ExpectedRow], end: End = .unchecked) {
    self.rows = rows
    self.end = end
  }

  init(rows: JSON?) throws(Obstacle) {
    guard let rows = try ExpectedRow.list(rows, "expect") else {
      throw .malformed("expect is missing")
    }
    self.init(rows: rows)
  }

  /// The bounds of `expect_total`.
  static func range(_ json: JSON) throws(Obstacle) -> ClosedRange<Int> {
    guard let low = json.members?["ok_min"]?.count, let high = json.members?["ok_max"]?.count,
      low <= high
    else { throw .malformed("expect_total is \(json)") }
    return low...high
  }
}

/// One row of an answer: its time or number, and the answer.
struct ExpectedRow: Sendable {
  /// Nil in a contradiction that lists only answers.
  let key: JSON?
  let answer: JSON

  init(bareOrKeyed json: JSON) {
    if let pair = json.elements, pair.count == 2, pair[0].double != nil {
      (key, answer) = (pair[0], pair[1])
    } else {
      (key, answer) = (nil, json)
    }
  }

  /// The rows of a field; nil if it is absent.
  static func list(_ json: JSON?, _ field: String) throws(Obstacle) -> [ExpectedRow]? {
    guard let json else { return nil }
    guard let elements = json.elements else { throw .malformed("\(field) is \(json)") }
    var rows = [ExpectedRow]()
    for element in elements {
      let row = ExpectedRow(bareOrKeyed: element)
      guard row.key != nil else { throw .malformed("\(field) holds \(element)") }
      rows.append(row)
    }
    return rows
  }
}

extension ExpectedRow: CustomStringConvertible {
  var description: String { key.map { "[\($0), \(answer)]" } ?? "\(answer)" }
}
