/// A heading of a guide, below its title.
struct Heading {
  let text: String

  /// The headings of a guide, in order.
  static func all(in guide: String) -> [Heading] {
    guide.matches(of: /(?m)^##+ (.*)$/).map { Heading(text: String($0.1)) }
  }

  /// The anchor on a git host.
  var slug: String {
    let kept = text.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
    return kept.replacing(" ", with: "-")
  }

  /// The anchor in a documentation archive.
  var fragment: String {
    let kept = text.filter { !($0.isPunctuation || $0 == "`") || $0 == "-" }
    return kept.split(separator: " ").joined(separator: "-")
  }
}
