import Testing

@testable import pace

/// Expects a usage error, whose message contains `part` and is one line.
func expectUsage<Value>(
  _ part: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws(CommandError) -> Value
) {
  do {
    let value = try body()
    Issue.record("no error, but \(value)", sourceLocation: sourceLocation)
  } catch {
    #expect(error.status == .usage, sourceLocation: sourceLocation)
    #expect(error.message?.contains(part) == true, "\(error)", sourceLocation: sourceLocation)
    #expect(error.message?.contains(where: \.isNewline) == false, sourceLocation: sourceLocation)
  }
}
