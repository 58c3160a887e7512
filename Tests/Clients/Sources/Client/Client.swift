/// A program that uses every public tool as its users do.
///
/// It is built in three packages: in plain Swift 6, with the upcoming features, and with the main
/// actor as default isolation. It prints `ok` at its end.
@main
struct Client {
  static func main() async throws {
    await SearchField.tryOut()
    await debounceOnQueues()
    await debounceAsStream()
    await debounceByKey()
    try await callOperations()
    await handleAsynchronously()
    await handleInEveryForm()
    handleOthersTools()
    await Progress.tryOut()
    await throttleOnQueues()
    await throttleAsStream()
    await StatusBar.tryOut()
    await sampleOnQueues()
    await sampleAsStream()
    await EventList.tryOut()
    await EventStore.tryOut()
    await batchOnQueues()
    await batchAsStream()
    await SearchModel.tryOut()
    try await operateOnSequences()
    await chainSequences()
    await Dashboard.tryOut()
    timeOnQueues()
    await timeForOwners()
    await timeAsStream()
    try await spendTokens()
    askForTokens()
    await Meter.tryOut()
    await takeTokensAsStream()
    try await settleTokens()
    changeBucket()
    try await limitSequencesAndFunctions()
    try await combineLimits()
    try await settleCosts()
    try await takePermits()
    try await spendAll()
    limitByKey()
    tellClients()
    describeLimits()
    try await shareLimits()
    try await Feed.tryOut()
    try await retryByPolicy()
    await Connection.tryOut()
    await reconnectOnQueues()
    await reconnectAsStream()
    try await retryWithAdvice()
    try await Loader.tryOut()
    await retryWithClosures()
    await StatusPage.tryOut()
    await pollAsStream()
    try await sleepOnClocks()
    try await timeOnClocks()
    await Inbox.tryOut()
    await deliverToOwners()
    try await serveWithClocks()
    try limitByFile()
    try await testOnVirtualTime()
    print("ok")
  }
}

/// Ends the program where a condition does not hold.
nonisolated func verify(
  _ condition: Bool, _ what: String, file: StaticString = #fileID, line: UInt = #line
) {
  guard !condition else { return }
  fatalError("not so: \(what)", file: file, line: line)
}
