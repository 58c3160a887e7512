/// The names of the three fields that describe one limit.
struct FieldNames: Sendable {
  let limit: String
  let remaining: String
  let reset: String
  /// The unit of the limit; nil for requests.
  var unit: String?

  /// The fields of services that limit requests and tokens separately.
  static let ofServices: [(name: String, names: FieldNames)] =
    ["requests", "tokens"].map { ($0, openAI($0)) }
    + ["requests", "tokens", "input-tokens", "output-tokens"].map { ($0, anthropic($0)) }

  private static func openAI(_ name: String) -> FieldNames {
    FieldNames(
      limit: "x-ratelimit-limit-\(name)", remaining: "x-ratelimit-remaining-\(name)",
      reset: "x-ratelimit-reset-\(name)", unit: unit(name))
  }

  private static func anthropic(_ name: String) -> FieldNames {
    let prefix = "anthropic-ratelimit-\(name)-"
    return FieldNames(
      limit: prefix + "limit", remaining: prefix + "remaining", reset: prefix + "reset",
      unit: unit(name))
  }

  private static func unit(_ name: String) -> String? {
    name == "requests" ? nil : "tokens"
  }
}
