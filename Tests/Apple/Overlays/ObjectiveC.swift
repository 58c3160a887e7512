// What this package uses of the module.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public func autoreleasepool<Failure: Error, Result: ~Copyable>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }
