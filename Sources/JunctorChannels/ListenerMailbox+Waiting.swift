internal import JunctorCore

extension ListenerMailbox {
  /// Hands a message in if none has to give way to it; `nil`, with nothing done, if one had to.
  func sendIfRoom(_ delivery: PendingDelivery<Message>) -> MailboxOutcome? {
    switch self {
    case .own(let mailbox): mailbox.sendIfRoom(delivery)
    case .shared(let mailbox): mailbox.sendIfRoom(SharedDelivery(run: delivery.run))
    case .stream(let hub): hub.acceptIfRoom(delivery.message)
    case .outlet(let outlet): outlet.acceptIfRoom(delivery.message, OutgoingPost(delivery))
    }
  }

  /// Waits until there is room. Returns `false` if the task was cancelled meanwhile.
  nonisolated(nonsending) func waitForRoom() async -> Bool {
    switch self {
    case .own(let mailbox): await mailbox.waitForRoom()
    case .shared(let mailbox): await mailbox.waitForRoom()
    case .stream(let hub): await hub.waitForRoom()
    case .outlet(let outlet): await outlet.waitForRoom()
    }
  }

  /// Waits until nothing waits and nothing is being handled.
  nonisolated(nonsending) func waitForRest() async {
    switch self {
    case .own(let mailbox): _ = await mailbox.waitForRest()
    case .shared(let mailbox): _ = await mailbox.waitForRest()
    case .stream, .outlet: break
    }
  }
}
