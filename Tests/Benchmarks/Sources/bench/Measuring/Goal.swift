import Foundation

/// What a figure should be.
struct Goal {
  enum Bound: CustomStringConvertible {
    /// At most so many times what one clock read takes.
    case clockReads(Double)
    /// At most this share of a peer's figure.
    case share(Double, of: String)
    /// At most so much, in the row's own unit.
    case figure(Double, String)

    var description: String {
      switch self {
      case .clockReads(let limit): "\(limit) × clock read"
      case .share(let limit, let peer): "\(limit) × \(peer)"
      case .figure(let limit, let unit): "\(limit) \(unit)"
      }
    }
  }

  enum Outcome: String, CaseIterable {
    case met, missed, explained
  }

  let name: String
  let row: String
  let bound: Bound

  /// Whether the value is within the bound; where not, whether the guide to performance has a
  /// section of the goal's name, which says why.
  func outcome(_ value: Double) -> Outcome {
    let limit =
      switch bound {
      case .clockReads(let limit), .share(let limit, _), .figure(let limit, _): limit
      }
    if value <= limit { return .met }
    return Self.explanations.contains(name) ? .explained : .missed
  }

  /// The headings of the guide to performance.
  private static let explanations: Set<String> = {
    let root = (0..<6).reduce(URL(filePath: #filePath)) { path, _ in
      path.deletingLastPathComponent()
    }
    let guide = root.appending(path: "Documentation/Performance.md")
    let text = (try? String(contentsOf: guide, encoding: .utf8)) ?? ""
    return Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        String(line.drop { $0 == "#" }).trimmingCharacters(in: .whitespaces)
      })
  }()
}

/// Two rows to be compared: ours and a peer's.
struct Ratio {
  let ours: String
  let peer: String
}
