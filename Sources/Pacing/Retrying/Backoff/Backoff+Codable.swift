/// Backoffs as configuration: times are whole nanoseconds.
extension Backoff: Codable {
  private struct Form: Codable {
    enum Kind: String, Codable {
      case exponential, linear, list
    }

    struct Scatter: Codable {
      let kind: Jitter.Kind
      var ratio: Double?
    }

    let kind: Kind
    var base: Nanoseconds?
    var factor: Double?
    var increment: Nanoseconds?
    var delays: [Nanoseconds]?
    var cap: Nanoseconds?
    var jitter: Scatter?
    var seed: UInt64?
  }

  /// Encodes the backoff.
  ///
  /// - Throws: `EncodingError` if it is `custom(_:)`, for a closure cannot be encoded.
  public func encode(to encoder: any Encoder) throws {
    var form: Form
    switch shape {
    case .exponential(let base, let factor):
      form = Form(kind: .exponential, base: base, factor: factor)
    case .linear(let base, let increment):
      form = Form(kind: .linear, base: base, increment: increment)
    case .list(let delays):
      form = Form(kind: .list, delays: delays)
    case .custom:
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "a closure as backoff"))
    }
    if cap < .never { form.cap = cap }
    let ratio = jitter.kind == .proportional ? jitter.ratio : nil
    if jitter != .none { form.jitter = Form.Scatter(kind: jitter.kind, ratio: ratio) }
    form.seed = seed
    try form.encode(to: encoder)
  }

  /// Decodes a backoff.
  ///
  /// - Throws: `DecodingError`, also for values that no backoff can have.
  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    self = try DecodingError.wrapping(at: decoder.codingPath) {
      var backoff =
        switch form.kind {
        case .exponential:
          try Backoff.checked(
            exponential: Self.time("base", form.base), factor: form.factor ?? 2)
        case .linear:
          try Backoff.checked(
            linear: Self.time("base", form.base), by: Self.time("increment", form.increment))
        case .list:
          Backoff.list(try Self.given("delays", form.delays).map(Duration.nanoseconds))
        }
      if let cap = form.cap { backoff = try backoff.checked(cap: .nanoseconds(cap)) }
      var jitter = Jitter(kind: form.jitter?.kind ?? .none)
      if jitter.kind == .proportional {
        jitter = try .checked(Self.given("ratio", form.jitter?.ratio))
      }
      return backoff.jittered(jitter, seed: form.seed)
    }
  }

  private static func time(
    _ name: String, _ time: Nanoseconds?
  ) throws(ConfigurationError) -> Duration {
    .nanoseconds(try given(name, time))
  }

  /// The value of a field that the kind of backoff or jitter requires.
  private static func given<Value>(
    _ name: String, _ value: Value?
  ) throws(ConfigurationError) -> Value {
    guard let value else { throw ConfigurationError(name, "missing", must: "be given") }
    return value
  }
}
