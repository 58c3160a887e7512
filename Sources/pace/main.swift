do {
  let words = Array(OwnProcess.words.dropFirst())
  try Session().end { session in await Pace.run(words, in: session) }
} catch {
  try? Descriptor.standardError.write(Array("pace: cannot start: \(error)\n".utf8)[...])
  OwnProcess.end(with: .inputOutput)
}
