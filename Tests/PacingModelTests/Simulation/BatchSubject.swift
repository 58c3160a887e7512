import Pacing
import PacingTesting
import TestSupport

/// A batcher against a list of the elements it holds.
///
/// It has a handler, a slow consumer of its stream, or is an operator, which stops reading while
/// too many batches wait for the consumer.
final class BatchSubject: Subject {
  private enum Face: CaseIterable { case handler, stream, sequence }

  private enum Item { case value(Int), ending(Consumer.Ending) }

  private let face: Face
  private let limit: NaiveBatch.Limit
  private var model: NaiveBatch
  private var batcher: Batcher<Int>?
  private var consumer: Consumer?
  private let source = Source<Int, Fault>()
  private let room: Int
  private let atEnd: Finish?
  private let onError: Finish
  private var unread = [Item]()
  private var ending: Consumer.Ending?
  private var isHeldBack = false
  private var isSuspended = false
  /// The closed batches that wait for the tool to resume.
  private var waiting = [[Int]]()
  private var sent = 0
  /// The elements of the batches that wait for the consumer, by number.
  private var batches = [Int: [Int]]()

  init(_ scene: Scene, _ random: inout SplitMix64) {
    func maybe(_ range: ClosedRange<Int>) -> Int? {
      Bool.random(using: &random) ? Int.random(in: range, using: &random) : nil
    }
    let clock = scene.clock
    face = Face.allCases.randomElement(using: &random)!
    limit =
      Int.random(in: 0..<3, using: &random) == 0
      ? NaiveBatch.Limit(
        count: maybe(1...5), period: .random(in: 1...30, using: &random),
        includesEmpty: .random(using: &random))
      : NaiveBatch.Limit(
        count: maybe(1...5), weight: maybe(1...9), delay: maybe(0...30), gap: maybe(0...15))
    let held = face == .sequence ? maybe(1...3) : nil
    room = held ?? 2
    (atEnd, onError) = (.perhaps(&random), .random(&random))
    model = NaiveBatch(limit, start: clock.now.milliseconds)
    super.init(scene)
    let real = limit.real(holding: held)
    let weigh: @Sendable (Int) -> Int = { NaiveBatch.weight($0) }
    switch face {
    case .handler:
      batcher = Batcher(real, weigh: weigh, clock: clock) { [journal] batch in
        journal.note(Self.number(batch))
      }
    case .stream:
      let batcher = Batcher(real, weigh: weigh, clock: clock)
      let ticks = batcher.ticks()
      self.batcher = batcher
      consumer = Consumer(journal, findsAll: true) {
        ticks
      } number: {
        Self.number($0)
      }
    case .sequence:
      let batches = source.batched(
        real, weigh: weigh, atEnd: atEnd, onError: onError, clock: clock)
      consumer = Consumer(journal, findsAll: true) {
        batches
      } number: {
        Self.number($0)
      }
    }
  }

  private static func number(_ elements: [Int]) -> Int {
    elements.reduce(elements.count) { $0 &* 1_000_003 &+ $1 } & .max
  }

  // MARK: The oracle

  override var dueTime: Int? { isOver || isSuspended && ending == nil ? nil : model.dueTime }

  override func settle(at time: Int) {
    if let due = dueTime, due <= time { deliver(model.closeByTime(at: time), at: time) }
    endIfOver(at: time)
  }

  private func endIfOver(at time: Int) {
    guard let ending, !isOver, model.held.isEmpty else { return }
    consumer?.finish(ending, at: time, in: self)
    isOver = true
  }

  /// Delivers a batch that has closed, or keeps it until the tool resumes.
  private func close(_ batch: [Int]) {
    if isSuspended { waiting.append(batch) } else { deliver(batch, at: now) }
  }

  /// Delivers the batches that waited for the tool to resume.
  private func deliverWaiting() {
    for batch in waiting { deliver(batch, at: now) }
    waiting = []
  }

  private func deliver(_ batch: [Int], at time: Int) {
    let number = Self.number(batch)
    guard let consumer else { return expect(number, at: time) }
    batches[number] = batch
    consumer.offer(number, at: time, in: self)
  }

  /// Adds an element to the batch.
  private func take(_ value: Int) {
    settle(at: now)
    // While it is suspended, time closes a batch when the next element comes.
    if isSuspended, let due = model.dueTime, due <= now { close(model.closeByTime(at: now)) }
    for batch in model.send(value, at: now) { close(batch) }
    settle(at: now)
  }

  /// Whether as many batches wait as may, empty ones aside.
  private var isFull: Bool {
    let waiting = consumer?.waiting.count { batches[$0]?.isEmpty == false } ?? 0
    return waiting >= room
  }

  /// Lets the operator read the elements that have arrived, while it may.
  private func read() {
    while !isHeldBack, !isOver, ending == nil, !unread.isEmpty {
      switch unread.removeFirst() {
      case .value(let value):
        take(value)
        isHeldBack = isFull
      case .ending(let ending):
        settle(at: now)
        close(ending == .end ? atEnd ?? .atOnce : onError, ending)
      }
    }
  }

  private func close(_ finish: Finish, _ ending: Consumer.Ending) {
    self.ending = ending
    if finish == .discard { waiting = [] } else { deliverWaiting() }
    if let batch = model.finish(finish) { deliver(batch, at: now) }
    settle(at: now)
  }

  // MARK: The calls

  override func call(_ random: inout SplitMix64) -> Bool {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<11: send()
    case 11: return flush()
    case 12: return cancel()
    case 14 where sent > 20 && Bool.random(using: &random): finish(&random)
    case 15 where sent > 20 && face == .sequence && Bool.random(using: &random): leave()
    case 16 where batcher != nil: steer()
    default: goOn()
    }
    return true
  }

  private func steer() {
    settle(at: now)
    isSuspended.toggle()
    if isSuspended {
      batcher?.suspend()
    } else {
      deliverWaiting()
      settle(at: now)
      batcher?.resume()
    }
  }

  /// Empties the open batch and those that wait for the tool to resume.
  private func withdraw() -> [Int] {
    defer { waiting = [] }
    return waiting.flatMap(\.self) + model.close()
  }

  private func send() {
    defer { sent += 1 }
    if let batcher {
      if ending == nil { take(sent) } else { settle(at: now) }
      batcher.send(sent)
    } else {
      source.send(sent)
      unread.append(.value(sent))
      read()
    }
  }

  private func flush() -> Bool {
    guard let batcher else { return true }
    settle(at: now)
    let isHeld = !model.held.isEmpty || !waiting.isEmpty
    deliverWaiting()
    // While it is suspended, the end of the batch's time may have passed.
    let isDue = model.dueTime.map { $0 <= now } ?? false
    if !model.held.isEmpty {
      deliver(isDue ? model.closeByTime(at: now) : model.close(), at: now)
    }
    endIfOver(at: now)
    return batcher.flush() == isHeld
  }

  private func cancel() -> Bool {
    guard let batcher else { return true }
    let unread = consumer?.withdraw().flatMap { batches[$0]! } ?? []
    let held = withdraw()
    endIfOver(at: now)
    return batcher.cancel() == unread + held
  }

  private func finish(_ random: inout SplitMix64) {
    guard let batcher else {
      let ending = Bool.random(using: &random) ? Consumer.Ending.end : .fault
      source.finish(throwing: ending == .fault ? Fault() : nil)
      unread.append(.ending(ending))
      return read()
    }
    settle(at: now)
    let finish = Finish.perhaps(&random)
    if !isOver { close(finish ?? .atOnce, .end) }
    batcher.finish(finish)
  }

  private func goOn() {
    consumer?.goOn(at: now, in: self)
    isHeldBack = isHeldBack && isFull
    read()
  }

  private func leave() {
    consumer?.cancel(at: now, in: self)
    isOver = true
  }

  override var isConsistent: Bool {
    guard let batcher else { return true }
    let counts = batcher.statistics
    let pending = waiting.flatMap(\.self) + model.held
    return counts.pending == pending.count && counts.received == sent
      && batcher.pending == pending && batcher.isSuspended == isSuspended
      && batcher.timeRemaining == timeRemaining
      && sent == counts.delivered + counts.merged + counts.dropped + counts.pending
  }

  private var timeRemaining: Duration? {
    guard waiting.isEmpty else { return .zero }
    return isOver ? nil : model.dueTime.map { .milliseconds(max(0, $0 - now)) }
  }

  override var description: String { "BatchSubject of \(face), \(model)" }

  override func end() {
    // A batch that finish() left would outlive the tool.
    if ending != nil { _ = cancel() }
    if face == .sequence { leave() } else { consumer?.finish(at: now, in: self) }
    batcher = nil
    isOver = true
    while let consumer, !consumer.hasEnded {
      consumer.goOn(at: now, in: self)
      clock.runReady()
    }
  }
}

extension NaiveBatch.Limit {
  /// The library's equivalent, with a bound on the closed batches that wait.
  fileprivate func real(holding maximum: Int?) -> BatchLimit {
    if let period {
      return .every(
        .milliseconds(period), maximumCount: count, includingEmpty: includesEmpty,
        maximumPendingBatches: maximum)
    }
    return BatchLimit(
      maximumCount: count, maximumWeight: weight, maximumDelay: delay.map { .milliseconds($0) },
      idleGap: gap.map { .milliseconds($0) }, maximumPendingBatches: maximum)
  }
}
