import Pacing

extension Edges {
  /// The edges of a case, defaulting to those of the tool.
  init(_ config: Settings, otherwise edges: Edges) throws(Obstacle) {
    let hasLeading = try config.flag("leading") ?? edges.hasLeading
    let hasTrailing = try config.flag("trailing") ?? edges.hasTrailing
    switch (hasLeading, hasTrailing) {
    case (true, true): self = .both
    case (true, false): self = .leading
    case (false, true): self = .trailing
    case (false, false): throw .missing("no-edge")
    }
  }
}
