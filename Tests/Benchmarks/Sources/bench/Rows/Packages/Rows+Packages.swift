extension Rows {
  /// What other packages take for the same; nothing where the package is built without them.
  static var packages: [Row] {
    #if Peers
      asyncAlgorithms + openCombine + nio
    #else
      []
    #endif
  }
}
