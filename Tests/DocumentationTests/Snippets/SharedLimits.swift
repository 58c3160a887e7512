import Pacing
import PacingRedis
import PacingTesting
import Testing

@Suite("SharedLimits.md")
struct SharedLimitsSnippets {
  @Test("a limit without a server")
  func first() async {
    // snippet: shared-first
    let store = RedisStore.inMemory()
    let limiter = SharedRateLimiter<String>(
      rate: .perSecond(100), burst: 200, in: store, onFailure: .localShare(of: 4)
    ) { user in "limit:\(user)" }

    let decision = await limiter.request(for: "ann")
    if decision.isAllowed { print("\(decision.remaining) left") }
    // end
    #expect(decision.isAllowed && decision.remaining == 199)
  }

  @Test("clients of servers")
  func clients() async {
    let valkey = ValkeyClient()
    let redis = RedisPool()
    for store in [Adapters.valkey(valkey), Adapters.rediStack(redis)] {
      let limiter = SharedRateLimiter<String>(
        rate: .perSecond(1), burst: 1, in: store, onFailure: .deny
      ) { $0 }
      #expect(await limiter.tryAcquire(for: "ann"))
    }
  }
}

enum Adapters {
  static func valkey(_ client: ValkeyClient) -> RedisStore {
    // snippet: shared-valkey
    let store = RedisStore { call in
      let keys = call.keys.map { ValkeyKey($0) }
      let reply =
        switch call.script {
        case .digest(let digest):
          try await client.evalsha(sha1: digest, keys: keys, args: call.arguments)
        case .source(let source):
          try await client.eval(script: source, keys: keys, args: call.arguments)
        }
      return try reply.decode(as: [Int64].self)
    }
    // end
    return store
  }

  static func rediStack(_ pool: RedisPool) -> RedisStore {
    // snippet: shared-redistack
    let store = RedisStore { call in
      let words = call.words.map { RESPValue(from: $0) }
      let reply = try await pool.send(command: call.command, with: words).get()
      return reply.array?.compactMap(\.int).map(Int64.init) ?? []
    }
    // end
    return store
  }
}

// Stand-ins with the signatures of the clients.

struct ValkeyKey: Sendable {
  init(_ name: String) {}
}

struct RESPToken: Sendable {
  func decode(as type: [Int64].Type) throws -> [Int64] { [1, 1_000_000] }
}

struct ValkeyClient: Sendable {
  func evalsha(sha1: String, keys: [ValkeyKey], args: [String]) async throws -> RESPToken {
    RESPToken()
  }

  func eval(script: String, keys: [ValkeyKey], args: [String]) async throws -> RESPToken {
    RESPToken()
  }
}

struct RESPValue: Sendable {
  let int: Int?
  let array: [RESPValue]?

  init(from text: String) {
    int = Int(text)
    array = nil
  }

  init(_ numbers: [Int]) {
    int = nil
    array = numbers.map { RESPValue(from: "\($0)") }
  }
}

struct RedisPool: Sendable {
  struct Future: Sendable {
    func get() async throws -> RESPValue { RESPValue([1, 1_000_000]) }
  }

  func send(command: String, with words: [RESPValue]) -> Future { Future() }
}
