import Dispatch
import Pacing
import PacingTesting
import Synchronization
import Testing

@Suite("TokenBucket")
struct TokenBucketTests {
  /// A thread-safe list of notes, in order.
  final class Notes<Element: Sendable>: Sendable {
    private let notes = Mutex<[Element]>([])
    func append(_ note: Element) { notes.withLock { $0.append(note) } }
    var all: [Element] { notes.withLock { $0 } }
  }

  let clock = ManualClock()

  /// Ten tokens per second, a burst of three.
  func bucket(initial: Int = 0) -> TokenBucket {
    TokenBucket(rate: .perSecond(10), burst: 3, initial: initial, clock: clock)
  }

  @Test("answers at once, by the clock")
  func answers() {
    let bucket = bucket(initial: 3)
    #expect(bucket.peek(2).remaining == 1)
    #expect(bucket.tryAcquire(2))
    #expect(bucket.request().isAllowed)
    #expect(!bucket.tryAcquire())
    #expect(bucket.request().retryAfter == .milliseconds(100))
    #expect(bucket.available == 0)
    clock.advance(by: .milliseconds(100))
    #expect(bucket.available == 1)
    #expect(bucket.tryAcquire())
    #expect(clock.pendingCount == 0)
  }

  @Test("tasks wait in order, behind one timer, and a small cost does not overtake a large one")
  func tasksWaitInOrder() async throws {
    let bucket = bucket()
    var tasks = [Task<Void, any Error>]()
    for cost in [3, 1, 2] {
      tasks.append(Task { try await bucket.acquire(cost) })
      await clock.sleepers(atLeast: tasks.count)
    }
    #expect(bucket.available == -6)
    #expect(clock.pendingCount == 1)
    for (index, due) in [300, 400, 600].enumerated() {
      clock.advance(to: PacingInstant(nanoseconds: 0).advanced(by: .milliseconds(due - 1)))
      #expect(bucket.waitingCount == 3 - index)
      #expect(!bucket.tryAcquire())
      clock.advance(by: .milliseconds(1))
      try await tasks[index].value
      #expect(bucket.waitingCount == 2 - index)
    }
    #expect(clock.pendingCount == 0)
  }

  @Test("a closed bucket allows nothing, however many tokens it holds")
  func closed() {
    let bucket = bucket(initial: 3)
    bucket.close()
    #expect(!bucket.peek().isAllowed && !bucket.request().isAllowed && !bucket.tryAcquire())
    #expect(bucket.peek().retryAfter == nil)
  }

  @Test("the time until a bucket is full counts what is waited for")
  func fullBehindWaiters() {
    let bucket = bucket()
    let waiter = bucket.acquire(2) { _ in }
    #expect(bucket.peek(0).resetAfter == .milliseconds(500))
    waiter.cancel()
    #expect(bucket.peek(0).resetAfter == .milliseconds(300))
  }

  @Test("a query finds no waiter that a late timer has left without hope")
  func queryAfterLateTimer() {
    let bucket = TokenBucket(
      rate: .perSecond(10), burst: 1, initial: 0, queue: QueuePolicy(catchUp: .zero), clock: clock)
    clock.run { try await bucket.acquire() }
    clock.run { try await bucket.acquire(within: .milliseconds(250)) }
    clock.lapse(by: .milliseconds(300))
    #expect(bucket.waitingCount == 0)
    #expect(bucket.available == 0)
    clock.runReady()
  }

  @Test("a deadline that cannot be met is refused at once; one that is just met is not")
  func deadlines() async throws {
    let bucket = bucket()
    await #expect(throws: AcquireError.deadline(neededWait: .milliseconds(200))) {
      try await bucket.acquire(2, within: .milliseconds(199))
    }
    await #expect(throws: AcquireError.exceedsBurst(cost: 4, burst: 3)) {
      try await bucket.acquire(4)
    }
    async let granted = bucket.acquire(2, within: .milliseconds(200))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(200))
    _ = try await granted
    #expect(bucket.available == 0)
  }

  @Test("a cancelled task spends nothing and makes way for the next")
  func cancellation() async throws {
    let bucket = bucket()
    let first = Task { try await bucket.acquire(3) }
    await clock.sleepers(atLeast: 1)
    let second = Task { try await bucket.acquire() }
    await clock.sleepers(atLeast: 2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(clock.nextDeadline == clock.now.advanced(by: .milliseconds(100)))
    clock.advance(by: .milliseconds(100))
    _ = try await second.value
    #expect(bucket.available == 0)
    let third = Task { try await bucket.acquire() }
    await clock.sleepers(atLeast: 1)
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
    #expect(clock.pendingCount == 0)
  }

  @Test("a task that is cancelled when it comes spends nothing, though the tokens are there")
  func cancelledBefore() async {
    let bucket = bucket(initial: 3)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await bucket.acquire()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bucket.available == 3)
  }

  @Test("a grant that was decided before the cancellation stands")
  func grantWins() async throws {
    let bucket = bucket()
    let task = Task {
      try await bucket.acquire()
      return Task.isCancelled
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(100))
    task.cancel()
    _ = try await task.value
    #expect(bucket.available == 0)
  }

  @Test("completions come in order, and never on the caller's stack")
  func completions() {
    let bucket = bucket(initial: 1)
    let notes = Notes<String>()
    for name in ["now", "later"] {
      _ = bucket.acquire { notes.append("\(name) \($0.map { $0.costs })") }
    }
    _ = bucket.acquire(within: .milliseconds(150)) {
      notes.append("refused \($0.map { $0.costs })")
    }
    #expect(notes.all == [])
    clock.advance(by: .zero)
    #expect(notes.all.count == 2)
    clock.advance(by: .milliseconds(100))
    #expect(
      notes.all == [
        "now success(1)",
        "refused failure(Pacing.AcquireError.deadline(neededWait: Optional(0.2 seconds)))",
        "later success(1)",
      ])
    #expect(clock.pendingCount == 0)
  }

  @Test("a completion runs where it was asked to")
  func places() async {
    let bucket = bucket(initial: 2)
    let queue = DispatchQueue(label: "test")
    let notes = Notes<String>()
    _ = bucket.acquire(on: .queue(queue)) { _ in
      dispatchPrecondition(condition: .onQueue(queue))
      notes.append("queue")
    }
    await withCheckedContinuation { continuation in
      _ = bucket.acquire(on: .queue(.main)) { _ in
        MainActor.assertIsolated()
        continuation.resume()
      }
    }
    await clock.settle()
    #expect(notes.all == ["queue"])
  }

  @Test("a handle withdraws its request, once, and only before the grant")
  func handles() {
    let bucket = bucket(initial: 1)
    let notes = Notes<String>()
    let granted = bucket.acquire { _ in notes.append("granted") }
    let withdrawn = bucket.acquire(3) { _ in notes.append("withdrawn") }
    _ = bucket.acquire { _ in notes.append("next") }
    #expect(!granted.cancel())
    #expect(withdrawn.cancel())
    #expect(!withdrawn.cancel())
    clock.advance(by: .milliseconds(100))
    #expect(notes.all == ["granted", "next"])
    #expect(!granted.cancel())
    #expect(bucket.available == 0)
  }

  @Test("a request that waits keeps its bucket, and its completion is called")
  func requestsKeepTheBucket() {
    let notes = Notes<String>()
    weak var dropped: TokenBucket?
    do {
      let bucket = bucket()
      dropped = bucket
      _ = bucket.acquire { _ in notes.append("granted") }
    }
    #expect(dropped != nil)
    clock.advance(by: .milliseconds(100))
    #expect(notes.all == ["granted"])
    #expect(dropped == nil)
    #expect(clock.pendingCount == 0)
  }

  @Test("waiters that are due are served before a call is answered, however late the timer is")
  func lateTimer() {
    let bucket = bucket()
    let notes = Notes<String>()
    _ = bucket.acquire(2) { _ in notes.append("waiter") }
    clock.lapse(by: .milliseconds(250))
    #expect(!bucket.tryAcquire())
    clock.runReady()
    #expect(notes.all == ["waiter"])
    clock.lapse(by: .milliseconds(50))
    #expect(bucket.tryAcquire())
    let withdrawn = bucket.acquire { _ in notes.append("withdrawn") }
    clock.lapse(by: .seconds(1))
    #expect(withdrawn.cancel())
    clock.advance(by: .seconds(1))
    #expect(notes.all == ["waiter"])
  }

  @Test("a stream hands out one token for each call, and takes none ahead")
  func ticks() async {
    let bucket = bucket(initial: 2)
    var ticks = bucket.ticks().makeAsyncIterator()
    #expect(await ticks.next() == clock.now)
    #expect(bucket.available == 1)
    #expect(await ticks.next() == clock.now)
    async let other: Void? = {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .milliseconds(100))
    }()
    let third = await ticks.next()
    _ = await other
    #expect(third == clock.now)
    #expect(clock.pendingCount == 0)
  }

  @Test("a stream ends with its task, and spends nothing then")
  func cancelledStream() async {
    let bucket = bucket()
    let task = Task {
      var count = 0
      for await _ in bucket.ticks() { count += 1 }
      return count
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(100))
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(await task.value == 1)
    clock.advance(by: .milliseconds(100))
    #expect(bucket.available == 1)
    #expect(clock.pendingCount == 0)
  }

  @Test("a stream ends when the bucket is dropped, which it does not prevent")
  func droppedBucket() async {
    var bucket: TokenBucket? = bucket()
    let stream = bucket!.ticks()
    let task = Task {
      var iterator = stream.makeAsyncIterator()
      return await iterator.next()
    }
    await clock.sleepers(atLeast: 1)
    bucket = nil
    #expect(await task.value == nil)
    #expect(clock.pendingCount == 0)
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == nil)
  }
}
