/// Earlier stages of a value that grows step by step, to return to: a pure value.
///
/// The nearer the end, the closer the stages that are kept: each replaces the previous one whose
/// number of steps has as many trailing zero bits. So the last stage ahead of any of the last `d`
/// steps is at most `4 * d` steps from the end.
///
/// - Complexity: `append` is amortised O(1), everything else O(log n) in the number of steps.
package struct Stages<Stage> {
  /// The stages by the number of trailing zero bits of their steps.
  private var kept = ContiguousArray<(step: Int, stage: Stage)?>()
  /// The number of the last step.
  package private(set) var count = 0

  package init() {}

  /// Adds the stage after the next step.
  package mutating func append(_ stage: Stage) {
    count += 1
    let index = count.trailingZeroBitCount
    while kept.count <= index { kept.append(nil) }
    kept[index] = (count, stage)
  }

  /// The last stage kept, nil if there is none.
  package var last: Stage? {
    kept.lazy.compactMap { $0 }.max { $0.step < $1.step }?.stage
  }

  /// Removes the stages that meet a condition; if one does, all later ones do.
  package mutating func removeLast(where isMet: (Stage) -> Bool) {
    for index in kept.indices {
      if let stage = kept[index]?.stage, isMet(stage) { kept[index] = nil }
    }
    count = kept.lazy.compactMap { $0?.step }.max() ?? 0
  }

  package mutating func removeAll() {
    self = Stages()
  }
}

extension Stages: Sendable where Stage: Sendable {}
