# One decisive line each, and the tests that notice: what breaks, file, from, to, filter.

mutation 'debounce: a quiet period includes its end' Debouncing/DebounceState.swift \
  'let isInBurst = now < quietUntil' 'let isInBurst = now <= quietUntil' \
  'DebouncerTests|PacingLawTests/debounce'
mutation 'throttle: a window includes its end' Throttling/ThrottleState.swift \
  '} else if now < windowEnd {' '} else if now <= windowEnd {' 'ThrottlerTests|PacingLawTests/throttle'
mutation 'throttle: a late timer shortens the next window' Throttling/ThrottleState.swift \
  'windowEnd = now + nextWindow' 'windowEnd = deadline + nextWindow' \
  'ThrottlerTests|PacingLawTests/throttle'
mutation 'sample: a value on a tick is delivered by that tick' Sampling/SampleState.swift \
  '/ period).adding(1)' '/ period).adding(now == start ? 1 : 0)' 'SamplerTests|PacingLawTests/sample'
mutation 'batch: lateness shifts the grid' Batching/BatchState.swift \
  'gridPoint = gridPoint + phase.multiplied(by: (now - gridPoint) / phase)' 'gridPoint = now' \
  'BatcherTests'
mutation 'queue: the same deadline, the last first' Engine/DeadlineQueue.swift \
  '&- other.number) < 0' '&- other.number) > 0' 'DeadlineQueueTests'
mutation 'queue: a stale handle cancels a newer entry' Engine/DeadlineSlab.swift \
  'node.number == number && node.payload' 'node.payload' \
  'DeadlineQueueTests'
mutation 'service: not armed again after a drain' Engine/TimerService.swift \
  $'state.room = due\n    }\n    arm()' $'state.room = due\n    }' 'RealTimeTests'
mutation 'entry: an earlier deadline is not told' Engine/TimerEntry.swift \
  'self.deadline < deadline && deadline != .distantFuture' 'deadline != .distantFuture' \
  'RealTimeTests'
mutation 'stream: the end overtakes the last element' Streams/MailboxState.swift \
  'guard let element = waiting.popFirst()' 'guard !hasEnded, let element = waiting.popFirst()' \
  'MailboxStreamTests'
mutation 'bucket: the last token is never granted' RateLimiting/Buckets/BucketLevel.swift \
  'guard debt <= scale.capacity &- units' 'guard debt < scale.capacity &- units' \
  'BucketStateTests|TokenBucketTests'
mutation 'bucket: time that goes back mints tokens' RateLimiting/Tools/BucketState.swift \
  'if latest < now { latest = now }' 'latest = now' 'LimitLawTests/jumpsBack'
mutation 'bucket: a stale place withdraws a newer waiter' RateLimiting/Queue/WaiterQueue.swift \
  'slab[Int(place.index)].number == place.number' 'place.number < .max' \
  'BucketWaitingTests|LimitPairRaceTests'
mutation 'bucket: a cancel loses to a grant that is late' RateLimiting/Queue/QueuedLimit+Deciding.swift \
  'serve(at: now, before: place, telling: &decided)' 'serve(at: now, telling: &decided)' \
  'BucketWaitingTests|TokenBucketTests|CatchUpLawTests'
mutation 'bucket: grants to waiters count from the present' RateLimiting/Tools/BucketState+Waiting.swift \
  'level.scale.time(latest - catchUp)' 'level.scale.time(latest)' 'CatchUpLawTests'
mutation 'bucket: grants to waiters count from before a change' \
  RateLimiting/Tools/BucketState+Waiting.swift \
  'servedUntil = max(servedUntil, level.scale.time(latest))' '' 'CatchUpLawTests'
mutation 'bucket: a try overtakes waiters' RateLimiting/Queue/LimitQueue.swift \
  'contents.isPlain = contents.limit.isPlain' '' 'BucketWaitingTests|TokenBucketTests'
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
mutation 'delivery: a stream goes on without its tool where a kept value never comes' Delivering/Pacer.swift \
  'for mailbox in withLock({ $0.mailboxes }) { mailbox.end()?.resume() }' '' \
  'WaitingTests/never'
mutation 'lock: released before the work is done' Core/Locked.swift \
  'let result = body(&value)' \
  $'mutex._unsafeUnlock()\n    let result = body(&value)\n    mutex._unsafeLock()' 'ValuePairRaceTests'
mutation 'window: its end belongs to it' RateLimiting/Windows/FixedWindowState.swift \
  $'if end <= now {\n      end = end(at: now)' $'if end < now {\n      end = end(at: now)' \
  'WindowTests'
mutation 'retry: a cancelled wait keeps its share of the budget' Retrying/RetryState.swift \
  'if let loan = loan.take() { policy.budget?.giveBack(loan) }' '' 'RetryBudgetTests|RetryRaceTests'
mutation 'timeout: an operation that suspends is not timed' Timeouts/DeadlineInForce.swift \
  'if !hasEnded { entry.set(deadline, for: self, in: service) }' '' 'TimeoutTests'
mutation 'limit: a turn that is decided before its task suspends is not told' \
  Engine/OneShotState.swift 'if case .resolved(let outcome) = self { return outcome }' 'if isResolved { self = .empty }' \
  'OneShotStateTests'
mutation 'call: a task that is cancelled on its way in waits all the same' Values/Calls/CallPacer.swift \
  'withdraw(call.sent())' '' 'CallTests'
mutation 'poller: the next poll does not wait for the handler' Polling/PollState.swift \
  'isBusy = tick != nil' '' 'PollerTests'
mutation 'workers: threads that block are not noticed' Engine/WorkerPolicy.swift \
  'if isBlocked { score = Self.scores.upperBound }' '' 'WorkerPolicyTests'
mutation 'timeout: the timer runs the cancellation handlers' Timeouts/DeadlineInForce.swift \
  'Place.shared.perform(in: service) { task.cancel() }' 'task.cancel()' 'TimeoutTests'
mutation 'timers: what is left of a peak keeps its memory' Engine/DeadlineSlab.swift \
  'if pages[page].count < Self.sparseLength { return thinOut(page) }' '' 'DeadlineQueueTests'
