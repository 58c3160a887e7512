package import PacingTesting

extension Recorder {
  /// Records a value, as one appends it to an array.
  package func append(_ value: Value) { record(value) }

  /// The values so far.
  package var all: [Value] { values }
}
