extension Pacer {
  /// A stream of everything decided from now on; it keeps `owner` alive and ends with the tool.
  func ticks(keeping owner: (any AnyObject & Sendable)? = nil) -> AsyncStream<Output> {
    stream(keeping: owner) { $0 }
  }

  /// As `ticks(keeping:)`, transforming each output.
  func ticks<Shown: Sendable>(
    of transform: @escaping @Sendable (Output) -> Shown
  ) -> AsyncStream<Shown> {
    stream(keeping: nil, of: transform)
  }

  private func stream<Shown: Sendable>(
    keeping owner: (any AnyObject & Sendable)?,
    of transform: @escaping @Sendable (Output) -> Shown
  ) -> AsyncStream<Shown> {
    let (mailbox, number) = addMailbox()
    return mailbox.stream(keeping: owner, of: transform) { [weak self] in
      self?.release { $0.removeMailbox(number) }
    }
  }

  /// A mailbox that receives everything decided from now on.
  func subscribe() -> Mailbox<Output> { addMailbox().mailbox }

  private func addMailbox() -> (mailbox: Mailbox<Output>, number: Int) {
    withLock { $0.addMailbox() }
  }
}
