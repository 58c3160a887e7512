import Pacing
import PacingTesting

/// The named waiting callers of a case, as tasks or with closures, and all their answers.
final class Waiters {
  typealias Request = (
    _ cost: Int, _ timeout: Duration?,
    _ completion: @escaping @Sendable (Result<PacingInstant?, AcquireError>) -> Void
  ) -> Acquisition
  typealias Acquire = @Sendable (_ cost: Int, _ timeout: Duration?) async throws -> PacingInstant?

  let record: Record
  private let stage: Stage
  private let usesTasks: Bool
  private let request: Request
  private let acquire: Acquire
  private var handles = [String: Acquisition]()
  private var tasks = [String: Task<Void, Never>]()
  private let departures: Departures

  /// The names of callers that left the queue early.
  private final class Departures: Sendable {
    let names = Locked(Set<String>())
  }

  init(
    on stage: Stage, usesTasks: Bool, record: Record? = nil, request: @escaping Request,
    acquire: @escaping Acquire
  ) {
    self.stage = stage
    self.usesTasks = usesTasks
    self.request = request
    self.acquire = acquire
    departures = Departures()
    self.record = record ?? Record(stage.clock)
  }

  /// Lets a caller join or leave; false if the call is neither.
  func play(_ call: Call) throws -> Bool {
    switch call.name {
    case "join":
      try call.expectOnly(["n", "as", "within", "key"])
      let name = try call.required("as", call.arguments["as"]?.text)
      let timeout = try call.nanoseconds("within").map(Duration.nanoseconds)
      let cost = try call.cost
      join(name, cost, within: timeout)
      stage.settle()
    case "withdraw":
      try call.expectOnly(["of"])
      withdraw(try call.required("of", call.arguments["of"]?.text))
      stage.settle()
    default: return false
    }
    return true
  }

  private func join(_ name: String, _ cost: Int, within timeout: Duration?) {
    let record = record
    guard usesTasks else {
      handles[name] = request(cost, timeout) { record.note(Self.answer(name, $0)) }
      return
    }
    let (acquire, departures) = (acquire, departures)
    tasks[name] = stage.start {
      do {
        let instant = try await acquire(cost, timeout)
        record.note(Self.answer(name, .success(instant)))
      } catch let error as AcquireError {
        record.note(Self.answer(name, .failure(error)))
      } catch {
        _ = departures.names.withLock { $0.insert(name) }
      }
    }
  }

  private func withdraw(_ name: String) {
    var isWithdrawn = handles[name]?.cancel() ?? false
    if let task = tasks[name] {
      task.cancel()
      stage.settle()
      isWithdrawn = departures.names.withLock { $0.contains(name) }
    }
    record.note(.fields(["of": .text(name), "withdrawn": .flag(isWithdrawn)]))
  }

  private static func answer(_ name: String, _ result: Result<PacingInstant?, AcquireError>)
    -> Answer
  {
    switch result {
    case .success(let instant):
      .fields([
        "of": .text(name), "granted": .flag(true),
        "counts": instant.map { .span($0.nanoseconds) } ?? .unshown,
      ])
    case .failure(let error): .fields(["of": .text(name), "refused": .text(reason(error))])
    }
  }

  private static func reason(_ error: AcquireError) -> String {
    switch error {
    case .exceedsBurst: "exceeds_burst"
    case .deadline: "deadline"
    case .queueIsFull: "queue_full"
    case .closed: "closed"
    }
  }

  // MARK: The order of rows

  /// The answers in a comparable order: at one instant, grants keep their order, as do answers, and
  /// refusals may come anywhere among them.
  static func rows(
    _ record: Record, inTheOrderOf expected: [ExpectedRow], unit: TimeUnit
  ) -> [Outcome.Row] {
    var left = record.all
    var rows = [Outcome.Row]()
    for row in expected {
      let stream = Stream(row.answer)
      let time = row.key.flatMap(unit.nanoseconds)
      let index = left.firstIndex { told in
        guard let time, told.key == .span(time) else { return false }
        guard stream == .refusals else { return Stream(told.answer) == stream }
        return told.answer.meets(row.answer, unit: unit)
      }
      if let index { rows.append(left.remove(at: index)) }
    }
    return rows + left
  }

  private enum Stream {
    case grants
    case refusals
    case answers

    init(_ json: JSON) {
      self =
        json.members?["granted"] != nil
        ? .grants
        : json.members?["refused"] != nil
          ? .refusals : .answers
    }

    init(_ answer: Answer) {
      guard case .fields(let fields) = answer else {
        self = .answers
        return
      }
      self = fields["granted"] != nil ? .grants : fields["refused"] != nil ? .refusals : .answers
    }
  }
}
