import Testing

@testable import pace

@Suite("RedisAddress")
struct RedisAddressTests {
  @Test(
    "reads a server and a name",
    arguments: [
      ("redis://127.0.0.1:7000/lines", RedisAddress(host: "127.0.0.1", port: 7000, name: "lines")),
      ("redis://cache/a/b:c", RedisAddress(host: "cache", port: 6379, name: "a/b:c")),
    ])
  func reads(text: String, address: RedisAddress) throws {
    #expect(try RedisAddress.parse(text) == address)
  }

  @Test(
    "refuses what is none",
    arguments: [
      "", "redis://", "redis://a", "redis://a/", "redis:///a", "redis://a:/b", "redis://a:0/b",
      "redis://a:65536/b", "redis://a:1:2/b", "http://a/b", "a/b",
    ])
  func refuses(text: String) {
    #expect(throws: CommandError.self) { try RedisAddress.parse(text) }
  }
}
