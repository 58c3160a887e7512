# One decisive line each, and the tests that notice: what breaks, file, from, to, filter.

mutation 'debounce: a quiet period includes its end' Values/ValueTiming.swift \
  'let isInBurst = now < openUntil' 'let isInBurst = now <= openUntil' \
  'DebouncerTests|PacingLawTests/debounce'
mutation 'throttle: a window includes its end' Values/ValueTiming.swift \
  'if now >= openUntil { openUntil' 'if now > openUntil { openUntil' 'ThrottlerTests|PacingLawTests/throttle'
mutation 'throttle: a late timer shortens the next window' Values/ValueTiming.swift \
  'case .throttle: openUntil = now + opens' 'case .throttle: openUntil = deadline + opens' \
  'ThrottlerTests|PacingLawTests/throttle'
mutation 'sample: a value on a tick is delivered by that tick' Values/ValueTiming.swift \
  '/ wait).adding(1)' '/ wait).adding(now == start ? 1 : 0)' 'SamplerTests|PacingLawTests/sample'
mutation 'batch: lateness shifts the grid' Batching/BatchState.swift \
  'gridPoint = gridPoint + phase.multiplied(by: (now - gridPoint) / phase)' 'gridPoint = now' \
  'BatcherTests'
mutation 'queue: the same deadline, the last first' Engine/DeadlineQueue.swift \
  '&- other.number) < 0' '&- other.number) > 0' 'DeadlineQueueTests'
mutation 'queue: a stale handle cancels a newer entry' Engine/DeadlineQueue.swift \
  'node.number == handle.number && node.payload' 'node.payload' 'DeadlineQueueTests'
mutation 'service: not armed again after a drain' Engine/TimerService.swift \
  $'state.room = due\n    }\n    arm()' $'state.room = due\n    }' 'RealTimeTests'
mutation 'entry: an earlier deadline is not told' Engine/TimerEntry.swift \
  'self.deadline < deadline && deadline != .distantFuture' 'deadline != .distantFuture' \
  'RealTimeTests'
mutation 'stream: the end overtakes the last element' Streams/MailboxState.swift \
  'guard let (element, repeats) = line.first' 'guard !hasEnded, let (element, repeats) = line.first' \
  'MailboxStreamTests'
mutation 'bucket: the last token is never granted' RateLimiting/Parts/BucketLevel.swift \
  'fullAt &- limit <= now' 'fullAt &- limit < now' 'InstantLimitTests|TokenBucketTests'
mutation 'limit: time that goes back mints tokens' RateLimiting/Queue/LimitState.swift \
  'if latest < now { latest = now }' 'latest = now' 'InstantLimitTests/jumpsBack'
mutation 'limit: a caller leaves that was served' RateLimiting/Queue/QueueContents.swift \
  'guard waiter.isWaiting else { return false }' '' 'TokenBucketTests|LimitPairRaceTests'
mutation 'limit: a cancel loses to a grant that is late' RateLimiting/Queue/QueueContents.swift \
  'serve(before: leaver)' 'serve(before: nil)' 'TokenBucketTests|OracleLawTests|WakeLawTests'
mutation 'limit: grants to waiters count from the present' RateLimiting/Queue/QueueContents.swift \
  'max(fit.instant, floor, latest - policy.catchUp)' 'max(fit.instant, latest)' \
  'OracleLawTests|WakeLawTests'
mutation 'limit: grants to waiters count from before a change' RateLimiting/Queue/QueueContents.swift \
  'max(fit.instant, floor, latest - policy.catchUp)' 'max(fit.instant, latest - policy.catchUp)' \
  'OracleLawTests|WakeLawTests'
mutation 'limit: a try overtakes waiters' RateLimiting/Queue/QueueContents.swift \
  'isPlain = isIdle' 'isPlain = true' 'TokenBucketTests|OracleLawTests'
mutation 'limit: the queue of a key ends while it waits' RateLimiting/Keyed/KeyedShard+State.swift \
  'place.contents.isIdle, !place' '!place' 'KeyedWaitingTests|KeyedQueueLawTests'
mutation 'limit: a full table gives a change room by a debt' RateLimiting/Keyed/KeyedShard+State.swift \
  'table[victim].isFull(at: latest) else' 'table[victim].isFull(at: .distantFuture) else' \
  'FullTableTests|FullTableLawTests|KeyedLimitsTests'
mutation 'limit: a key with windows is forgotten while they count' RateLimiting/Queue/LimitState.swift \
  'KeyStamp(nanoseconds: restsAt.nanoseconds, parts: 0)' 'KeyStamp.full' \
  'KeyedLimitsTests|KeyedQueueLawTests'
mutation 'mapped: a result overtakes an earlier one' Operators/MapState.swift \
  'guard inOrder else { return [result] }' 'guard next < 0 else { return [result] }' 'MappedTests'
mutation 'timer: skip leaves out one tick too many' Timers/TickState.swift \
  'passOver(dueCount(at: now))
    return tick' \
  'passOver(dueCount(at: now) + 1)
    return tick' 'MissedTicksTests'
mutation 'timer: a limited burst is one tick short' Timers/TickState.swift \
  'overdue - (limit - 1)' 'overdue - (limit - 2)' 'MissedTicksTests'
mutation 'delivery: two handlers at a time' Delivering/DeliveryQueue.swift \
  'activeCount >= overlap.capacity' 'activeCount > overlap.capacity' \
  'OverlapTests|LifeCycleTests'
mutation 'lock: released before the work is done' Core/Locked.swift \
  'let result = body(&value)' \
  $'lock.release()\n    let result = body(&value)\n    lock.acquire()' 'ValuePairRaceTests'
mutation 'window: its end belongs to it' RateLimiting/Parts/FixedWindow.swift \
  $'if end <= now {\n      first = now' $'if end < now {\n      first = now' \
  'WindowTests|OracleLawTests'
mutation 'retry: a cancelled wait keeps its share of the budget' Retrying/RetryState.swift \
  'if let loan = loan.take() { policy.budget?.giveBack(loan) }' '' 'RetryBudgetTests|RetryRaceTests'
mutation 'timeout: an operation that suspends is not timed' Timeouts/DeadlineInForce.swift \
  '(true, state.timer.set(deadline, tolerance: 0, for: self, in: service))' '(true, false)' 'TimeoutTests'
mutation 'limit: a turn that is decided before its task suspends is not told' \
  Engine/OneShotState.swift 'if case .resolved(let outcome) = self { return outcome }' 'if isResolved { self = .empty }' \
  'OneShotStateTests'
mutation 'call: a task that is cancelled on its way in waits all the same' Values/Calls/CallingTool.swift \
  'if call.hasLeft { withdraw(call) }' '' 'CallTests'
mutation 'poller: the next poll does not wait for the handler' Polling/PollState.swift \
  'isBusy = tick != nil' '' 'PollerTests'
mutation 'workers: threads that block are not noticed' Engine/WorkerPolicy.swift \
  'if isBlocked { score = Self.scores.upperBound }' '' 'WorkerPolicyTests'
mutation 'timeout: the timer runs the cancellation handlers' Timeouts/DeadlineInForce.swift \
  'Place.shared.perform(in: service) { task.cancel() }' 'task.cancel()' 'TimeoutTests'
mutation 'timers: an empty queue keeps the memory of its peak' Engine/DeadlineQueue.swift \
  'if heap.isEmpty, slab.count' 'if heap.isEmpty, slab.count > 1 << 40, slab.count' 'DeadlineQueueTests'
mutation 'sliding window: events that have left it are searched' \
  RateLimiting/Parts/SlidingWindow.swift 'firstIndex(from: live) {' 'firstIndex(from: first) {' \
  'WindowTests'
mutation 'keys: a debt that no instant ends is forgotten' RateLimiting/Parts/BucketLevel.swift \
  'stamp.nanoseconds == .max ? .max : time + part' 'time + part' 'KeyedQuotaTests'
mutation 'keys: a refusal takes room in the table' RateLimiting/Keyed/KeyedShard+State.swift \
  'if isUntouched || contents' 'if contents' 'FullTableTests'
mutation 'retry: an attempt begins after the deadline, because its turn came late' \
  Retrying/RetryRun.swift 'if state.timeLeft(at: service.now) == 0 {' 'if false {' 'RetryLimitTests'
mutation 'retry: a healthy attempt that is cancelled gives nothing back' Retrying/RetryState.swift \
  'if isHealthy { giveBack() }' '' 'RetryBudgetTests'
