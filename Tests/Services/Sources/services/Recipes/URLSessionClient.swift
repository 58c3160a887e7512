import Foundation
import Pacing
import PacingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// snippet: recipe-client-urlsession
func load(
  _ url: URL, policy: RetryPolicy, session: URLSession = .shared
) async throws -> (body: Data, response: HTTPURLResponse) {
  try await retry(
    policy,
    judging: { (_, response) in
      .on(status: response.statusCode) { response.value(forHTTPHeaderField: $0) }
    }
  ) {
    let (body, response) = try await session.data(from: url)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return (body, response)
  }
}
// end
