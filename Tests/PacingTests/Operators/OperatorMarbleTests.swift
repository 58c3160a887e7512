import Pacing
import TestSupport
import Testing

@Suite("Operators, drawn")
struct OperatorMarbleTests {
  private static func steps(_ count: Int) -> Duration {
    .milliseconds(OperatorMarbles.step * count)
  }

  @Test(
    "debounced(for:)",
    arguments: [
      OperatorMarbles("a-b-c-------d-|", "-------c------(d|)", "trailing") {
        $0.debounced(for: steps(3), clock: $1)
      },
      OperatorMarbles("a-b-c-------d-|", "a------c----d-|", "both edges") {
        $0.debounced(for: steps(3), edges: .both, clock: $1)
      },
      OperatorMarbles("a-b-c-------d-|", "a-----------d-|", "leading") {
        $0.debounced(for: steps(3), edges: .leading, clock: $1)
      },
      OperatorMarbles("a-b-c-d-e-|", "-----c----(e|)", "maximum wait") {
        $0.debounced(for: steps(3), maximumWait: steps(5), clock: $1)
      },
      OperatorMarbles("ab#", "--#", "an error drops what is pending") {
        $0.debounced(for: steps(3), clock: $1)
      },
      OperatorMarbles("ab#", "--(b#)", "an error after what is pending") {
        $0.debounced(for: steps(3), onError: .atOnce, clock: $1)
      },
      OperatorMarbles("ab|", "--|", "an end that drops what is pending") {
        $0.debounced(for: steps(3), atEnd: .discard, clock: $1)
      },
      OperatorMarbles("a---|", "---a|", "an end after the last one") {
        $0.debounced(for: steps(3), clock: $1)
      },
      OperatorMarbles("a~~~~b----", "-----a--b-", "a late timer") {
        $0.debounced(for: steps(3), clock: $1)
      },
      OperatorMarbles("a-x----", "--|----", "a consumer that leaves, whose loop ends") {
        $0.debounced(for: steps(3), clock: $1)
      },
      OperatorMarbles("a----|", "a----|", "rxjs#2859: one element is not sent twice") {
        $0.debounced(for: steps(3), edges: .both, clock: $1)
      },
      OperatorMarbles("abc|", "abc|", "no wait") { $0.debounced(for: .zero, clock: $1) },
      OperatorMarbles("|", "|", "nothing") { $0.debounced(for: steps(3), clock: $1) },
    ])
  func debounced(marbles: OperatorMarbles) { check(marbles) }

  @Test(
    "throttled(every:)",
    arguments: [
      OperatorMarbles("a-b-c-d-----e-f|----", "a---b---d---e---(f|)---", "both edges") {
        $0.throttled(every: steps(4), clock: $1)
      },
      OperatorMarbles("a-b-c-d-----e-f|----", "a---c-------e--|----", "leading") {
        $0.throttled(every: steps(4), edges: .leading, clock: $1)
      },
      OperatorMarbles("a-b-c-d-----e-f|----", "----b---d-------(f|)---", "trailing") {
        $0.throttled(every: steps(4), edges: .trailing, clock: $1)
      },
      OperatorMarbles("a-----|", "a-----|", "rxjs#2859: one element is not sent twice") {
        $0.throttled(every: steps(4), clock: $1)
      },
      OperatorMarbles("abcd-e|--", "a---b---(e|)", "keeping the first") {
        $0.throttled(every: steps(4), keeping: .first, clock: $1)
      },
      OperatorMarbles("abdc----", "a---d---", "keeping what they are reduced to") {
        $0.throttled(every: steps(4), keeping: .reducing { max($0, $1) }, clock: $1)
      },
      OperatorMarbles("abbc----", "a---c---", "an interval of each element's own") {
        $0.throttled(every: steps(9), varying: { _ in steps(4) }, clock: $1)
      },
      OperatorMarbles("ab|--", "a-(b|)--", "at once") {
        $0.throttled(every: steps(4), atEnd: .atOnce, clock: $1)
      },
      OperatorMarbles("ab#--", "a-#--", "an error") { $0.throttled(every: steps(4), clock: $1) },
      OperatorMarbles("ab#---", "a---(b#)-", "an error in its turn") {
        $0.throttled(every: steps(4), onError: .whenDue, clock: $1)
      },
    ])
  func throttled(marbles: OperatorMarbles) { check(marbles) }

  private static func key(_ mark: Character) -> String { mark.lowercased() }

  @Test(
    "debounced(for:by:) and throttled(every:by:): capital and small letters have one key",
    arguments: [
      OperatorMarbles("abA-------|", "----bA----|", "each key by itself") {
        $0.debounced(for: steps(3), by: key, clock: $1)
      },
      OperatorMarbles("abAB|", "----(AB|)", "an end delivers all keys") {
        $0.debounced(for: steps(3), by: key, clock: $1)
      },
      OperatorMarbles("ab#", "--#", "an error drops what is pending") {
        $0.debounced(for: steps(3), by: key, clock: $1)
      },
      OperatorMarbles("ab#", "--(ab#)", "an error after what is pending") {
        $0.debounced(for: steps(3), by: key, onError: .atOnce, clock: $1)
      },
      OperatorMarbles("abc------", "--a-bc---", "one key more flushes the earliest") {
        $0.debounced(
          for: steps(3), by: key, maximumKeys: 2, whenFull: .makeRoom,
          clock: $1)
      },
      OperatorMarbles("abc------", "---ab----", "one key more is dropped") {
        $0.debounced(for: steps(3), by: key, maximumKeys: 2, whenFull: .refuse, clock: $1)
      },
      OperatorMarbles("a-x----", "--|----", "a consumer that leaves, whose loop ends") {
        $0.debounced(for: steps(3), by: key, clock: $1)
      },
      OperatorMarbles("abA---------", "ab--A-------", "an interval for each key") {
        $0.throttled(every: steps(4), by: key, clock: $1)
      },
      OperatorMarbles("abAB|---", "ab--A(B|)--", "an end in its turn") {
        $0.throttled(every: steps(4), by: key, clock: $1)
      },
    ])
  func byKey(marbles: OperatorMarbles) { check(marbles) }

  @Test(
    "audited(for:by:) and sampled(every:by:): capital and small letters have one key",
    arguments: [
      OperatorMarbles("abA-----A-----", "----Ab------A-", "a window for each key") {
        $0.audited(for: steps(4), by: key, clock: $1)
      },
      OperatorMarbles("abA|--", "----A(b|)", "an end in its turn") {
        $0.audited(for: steps(4), by: key, clock: $1)
      },
      OperatorMarbles("ab#", "--#", "an error drops what is pending") {
        $0.audited(for: steps(4), by: key, clock: $1)
      },
      OperatorMarbles("ab#---", "----a(b#)", "an error in its turn") {
        $0.audited(for: steps(4), by: key, onError: .whenDue, clock: $1)
      },
      OperatorMarbles("abc------", "--a--bc--", "one key more flushes the earliest") {
        $0.audited(
          for: steps(4), by: key, maximumKeys: 2, whenFull: .makeRoom,
          clock: $1)
      },
      OperatorMarbles("abc------", "----ab---", "one key more is dropped") {
        $0.audited(for: steps(4), by: key, maximumKeys: 2, whenFull: .refuse, clock: $1)
      },
      OperatorMarbles("abA--B--b", "----(bA)---B", "one grid for all keys") {
        $0.sampled(every: steps(4), by: key, clock: $1)
      },
      OperatorMarbles("ab~~~~-c-", "------(ab)-c", "a late tick moves no other") {
        $0.sampled(every: steps(4), by: key, clock: $1)
      },
      OperatorMarbles("abA|", "---|", "an end drops all keys") {
        $0.sampled(every: steps(4), by: key, clock: $1)
      },
      OperatorMarbles("abA|", "---(Ab|)", "an end delivers all keys") {
        $0.sampled(every: steps(4), by: key, atEnd: .atOnce, clock: $1)
      },
      OperatorMarbles("ab#", "--(ab#)", "an error after what is pending") {
        $0.sampled(every: steps(4), by: key, onError: .atOnce, clock: $1)
      },
      OperatorMarbles("abc------", "--a-(bc)----", "one key more is delivered at once") {
        $0.sampled(
          every: steps(4), by: key,
          maximumKeys: 2, whenFull: .makeRoom, clock: $1)
      },
      OperatorMarbles("a-x----", "--|----", "a consumer that leaves, whose loop ends") {
        $0.sampled(every: steps(4), by: key, clock: $1)
      },
    ])
  func windowsByKey(marbles: OperatorMarbles) { check(marbles) }

  @Test(
    "audited(for:)",
    arguments: [
      OperatorMarbles("a-b-c-d-----e|---", "----b---d-------(e|)", "a window") {
        $0.audited(for: steps(4), clock: $1)
      },
      OperatorMarbles("ab#", "--#", "an error") { $0.audited(for: steps(4), clock: $1) },
      OperatorMarbles("ab#", "--(b#)", "an error after what is pending") {
        $0.audited(for: steps(4), onError: .atOnce, clock: $1)
      },
    ])
  func audited(marbles: OperatorMarbles) { check(marbles) }

  @Test(
    "sampled(every:)",
    arguments: [
      OperatorMarbles("a-b-c---------d---e|", "----b---c-------d--|", "a grid") {
        $0.sampled(every: steps(4), clock: $1)
      },
      OperatorMarbles("a~~~~~b-----", "------a-b---", "lateness does not move the grid") {
        $0.sampled(every: steps(4), clock: $1)
      },
      OperatorMarbles("ab|", "--(b|)", "an end that delivers") {
        $0.sampled(every: steps(4), atEnd: .atOnce, clock: $1)
      },
    ])
  func sampled(marbles: OperatorMarbles) { check(marbles) }

  @Test(
    "batched(_:)",
    arguments: [
      OperatorMarbles(
        "a-b-----cdef---g|", "----([ab])-----([cde])----([f])([g]|)", "count and delay"
      ) { $0.batched(maximumCount: 3, maximumDelay: steps(4), clock: $1) },
      OperatorMarbles("ab#", "--#", "an error drops the open batch") {
        $0.batched(maximumCount: 3, maximumDelay: steps(4), clock: $1)
      },
      OperatorMarbles("ab#", "--([ab]#)", "an error after the open batch") {
        $0.batched(BatchLimit(maximumCount: 3), onError: .atOnce, clock: $1)
      },
      OperatorMarbles("a--------|", "---([a])--0--(00|)", "a grid with empty ones") {
        $0.batched(.every(steps(3), includingEmpty: true), clock: $1)
      },
      OperatorMarbles("abcd|", "--([ab][c])([d])|", "weights") {
        $0.batched(BatchLimit(maximumWeight: 3), weigh: { $0 < "c" ? 1 : 3 }, clock: $1)
      },
    ])
  func batched(marbles: OperatorMarbles) { check(marbles) }

  @Test(
    "delayed(by:) and delayed(until:)",
    arguments: [
      OperatorMarbles("a-bc------d-|----", "----a-bc------(d|)--", "the end after the last") {
        $0.delayed(by: steps(4), clock: $1)
      },
      OperatorMarbles("a-bc------d-|----", "----a-bc------d-|", "the end, too") {
        $0.delayed(by: steps(4), includingEnd: true, clock: $1)
      },
      OperatorMarbles("a---b--c|", "-----(ab)-c|", "until an instant") {
        $0.delayed(until: .at(5 * OperatorMarbles.step), clock: $1)
      },
      OperatorMarbles("a|------", "-----(a|)--", "until an instant, the end after it") {
        $0.delayed(until: .at(5 * OperatorMarbles.step), clock: $1)
      },
      OperatorMarbles("a---b--c|---", "-----ab--(c|)--", "by a delay, and until an instant") {
        $0.delayed(by: steps(2), until: .at(5 * OperatorMarbles.step), clock: $1)
      },
      OperatorMarbles("|-----", "|-----", "an end at once where nothing waits") {
        $0.delayed(by: steps(4), clock: $1)
      },
      OperatorMarbles("|-----", "----|-", "an end alone") {
        $0.delayed(by: steps(4), includingEnd: true, clock: $1)
      },
      OperatorMarbles("ab--#-", "----(a#)-", "an error drops the rest") {
        $0.delayed(by: steps(4), clock: $1)
      },
      OperatorMarbles("ab-#--", "----a(b#)", "an error in its turn") {
        $0.delayed(by: steps(4), onError: .whenDue, clock: $1)
      },
      OperatorMarbles("ab|", "--(ab|)", "at once") {
        $0.delayed(by: steps(4), atEnd: .atOnce, clock: $1)
      },
      OperatorMarbles("a~~~~~b----", "------a---b", "a late timer") {
        $0.delayed(by: steps(4), clock: $1)
      },
    ])
  func delayed(marbles: OperatorMarbles) { check(marbles) }

  @Test(
    "timeout(after:)",
    arguments: [
      OperatorMarbles("a--b-------c", "a--b---!----", "too long") {
        $0.timeout(after: steps(4), clock: $1)
      },
      OperatorMarbles("----a", "----!", "exactly then is too late") {
        $0.timeout(after: steps(4), clock: $1)
      },
      OperatorMarbles("----|", "----!", "for the end as well") {
        $0.timeout(after: steps(4), clock: $1)
      },
      OperatorMarbles("a--|---", "a--|---", "an end in time") {
        $0.timeout(after: steps(4), clock: $1)
      },
      OperatorMarbles("a--#---", "a--#---", "an error in time") {
        $0.timeout(after: steps(4), clock: $1)
      },
      OperatorMarbles("-a------b|", "-a------b|", "the first one alone") {
        $0.timeout(first: steps(4), clock: $1)
      },
      OperatorMarbles("-----a----", "-----a--!-", "another limit for the first") {
        $0.timeout(after: steps(3), first: steps(6), clock: $1)
      },
      OperatorMarbles("a~~~~~b", "a-----!", "a late timer") {
        $0.timeout(after: steps(4), clock: $1)
      },
      OperatorMarbles("-", "!", "no time at all") { $0.timeout(after: .zero, clock: $1) },
    ])
  func timeout(marbles: OperatorMarbles) { check(marbles) }

  private func check(_ marbles: OperatorMarbles) {
    let drawn = marbles.play(marbles.upstream)
    #expect(drawn == marbles.expected)
  }
}
