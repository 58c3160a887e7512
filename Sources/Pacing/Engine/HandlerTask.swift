/// An async handler on virtual time, known to its task and that task's children.
///
/// It distinguishes a handler's wait for the clock from the waits of a test's own tasks: a handler
/// that waits for the clock has nothing more to do at this instant.
package final class HandlerTask: Sendable {
  @TaskLocal package static var current: HandlerTask?
}
