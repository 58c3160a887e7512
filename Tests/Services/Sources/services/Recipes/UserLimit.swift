import HTTPTypes
import Hummingbird
import Pacing
import PacingHTTP
import PacingRedis

// snippet: recipe-limit-middleware
/// Refuses requests above the quota of a user, and says in each response what is left.
struct UserLimit<Context: RequestContext, Limiter: KeyedLimitingTool<String>>: RouterMiddleware {
  let limiter: Limiter
  let writer: RateLimitWriter

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let user = request.headers[.user] else { throw HTTPError(.unauthorized) }
    let decision = await limiter.request(1, for: user)
    var response =
      decision.isAllowed
      ? try await next(request, context)
      : Response(status: decision.source == .failurePolicy ? .serviceUnavailable : .tooManyRequests)
    for (name, value) in writer.fields(for: decision) { response.headers[.init(name)!] = value }
    return response
  }
}
// end

// snippet: recipe-limit-router
extension HTTPField.Name {
  /// Stands for whatever authenticates a request.
  static let user = HTTPField.Name("X-User")!
}

/// A router with a limit for each user of this process.
func limitedRouter(
  _ quota: Quota, clock: any Clock<Duration> = .dispatch
) -> (router: Router<BasicRequestContext>, limiter: KeyedRateLimiter<String>) {
  let limiter = KeyedRateLimiter<String>(maximumKeys: 100_000, clock: clock) { _ in quota }
  let writer = RateLimitWriter(.tokenBucket(quota).named("user"))
  let router = Router()
  router.add(middleware: UserLimit(limiter: limiter, writer: writer))
  return (router, limiter)
}
// end

/// The same with a limit that several processes share.
func limitedRouter(_ quota: Quota, in store: RedisStore) -> Router<BasicRequestContext> {
  let writer = RateLimitWriter(.tokenBucket(quota).named("user"))
  let router = Router()
  // snippet: recipe-limit-shared
  let limiter = SharedRateLimiter<String>(
    in: store, onFailure: .deny, name: { user in "limit:\(user)" }, quota: { _ in quota })
  router.add(middleware: UserLimit(limiter: limiter, writer: writer))
  // end
  return router
}
