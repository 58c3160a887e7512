/// Why a call has no answer.
struct StoreFault: Error, Hashable, Sendable {
  let reason: String
  /// Whether the fault is about the call's keys, not the store.
  var concernsKeys = false

  /// Wraps an error that the client threw.
  init(_ error: any Error, asking inquiry: Inquiry) {
    reason = "\(error)"
    // Some clients include the server's message only in the debug description, and some the call,
    // whose keys may be any text.
    let texts = [reason, String(reflecting: error)].map { Array($0.utf8) }
    let names = inquiry.buckets.map { Array($0.name.utf8) }
    func contains(_ word: String) -> Bool {
      let names = names.filter { $0.contains(word.utf8) }
      return texts.contains { text in
        let rest = names.reduce(text) { $0.replacing($1, with: []) }
        // A key that the client has written in another way may hide in the text, but not where a
        // server's message begins: "-ERR " is the longest that may be before it.
        let isHidden = !names.isEmpty && rest.count == text.count
        return (isHidden ? rest.prefix(word.utf8.count + 5) : rest[...]).contains(word.utf8)
      }
    }
    isUnknownScript = contains("NOSCRIPT")
    concernsKeys = ["WRONGTYPE", "PACING", "CROSSSLOT"].contains(where: contains)
  }

  private(set) var isUnknownScript = false

  private init(reason: String) {
    self.reason = reason
  }

  static let unreadable = StoreFault(reason: "a quota that the script cannot count")
  static let timeout = StoreFault(reason: "no answer in time")
  /// The answer may still come in time, but not for one that has waited for other calls before.
  static let late = StoreFault(reason: "no answer in the time that was left")
  static let callLimit = StoreFault(reason: "too many calls on their way")
  static let isOpen = StoreFault(reason: "left alone after failures")
  static let malformed = StoreFault(reason: "a reply that the script cannot have made")
}
