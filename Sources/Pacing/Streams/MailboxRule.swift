/// How a mailbox keeps elements that its consumer has not taken.
package struct MailboxRule<Element>: Sendable {
  /// Merges two elements into one; nil to keep every element.
  package var merge: (@Sendable (_ older: Element, _ newer: Element) -> Element)?

  /// The key of an element, if only elements with equal keys are merged.
  package var key: (@Sendable (Element) -> AnyHashable)?

  /// Whether of two consecutive elements that are not merged it suffices to keep one, and count.
  package var isRepeat: (@Sendable (_ older: Element, _ newer: Element) -> Bool)?

  /// Converts the first element of a subscription that began after others were decided.
  package var first: (@Sendable (Element) -> Element)?

  package init(
    merge: (@Sendable (_ older: Element, _ newer: Element) -> Element)? = nil,
    key: (@Sendable (Element) -> AnyHashable)? = nil
  ) {
    self.merge = merge
    self.key = key
  }

  package static var newest: MailboxRule { MailboxRule { $1 } }

  package static var all: MailboxRule { MailboxRule() }
}
