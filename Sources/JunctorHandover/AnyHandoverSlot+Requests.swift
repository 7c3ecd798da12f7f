internal import JunctorCore
internal import Synchronization

extension AnyHandoverSlot {
  /// How many ended requests are remembered, to say what became of one that is answered late.
  private static var memory: Int { 16 }

  /// Adds a request, before its model is delivered; of one that was given up meanwhile, how it ended.
  final func add(_ request: AnyRequest) {
    guard request.phase.isOpen else {
      return locked { remember(request.id, request.ending ?? "it was cancelled") }
    }
    let dropped = locked { () -> [AnyRequest] in
      let dropped = forgetEnded()
      requests.append(request)
      return dropped
    }
    _ = dropped
    updateRequestRecord()
  }

  /// The requests that are open, oldest first.
  final func openRequests() -> [AnyRequest] {
    locked { requests.filter { $0.phase.isOpen } }
  }

  /// Ends all requests as cancelled, in order.
  final func endAllRequests(because reason: String, inline: Bool = true) {
    let open = locked { () -> [AnyRequest] in
      let open = requests
      requests = []
      for request in open { remember(request.id, request.ending ?? reason) }
      return open
    }
    guard !open.isEmpty else { return }
    for request in open { request.cancel(because: reason, inline: inline) }
    updateRequestRecord()
  }

  /// Takes the requests out that have ended.
  final func sweepRequests() {
    let dropped = locked { forgetEnded() }
    _ = dropped
    updateRequestRecord()
  }

  /// What became of a request that is not open.
  final func fate(of id: UInt64) -> String? {
    locked {
      if let request = requests.first(where: { $0.id == id }) {
        return request.ending ?? "it was cancelled"
      }
      return endedRequests.last { $0.id == id }?.how
    }
  }

  /// What became of the latest request that is not open any more.
  final func latestFate() -> String? {
    locked {
      requests.last { !$0.phase.isOpen }.map { $0.ending ?? "it was cancelled" }
        ?? endedRequests.last?.how
    }
  }

  // Under the lock. What is returned dies outside it.
  private final func forgetEnded() -> [AnyRequest] {
    // Each is asked once: one that ends meanwhile, on another thread, is found the next time.
    var open: [AnyRequest] = []
    var ended: [AnyRequest] = []
    for request in requests {
      if request.phase.isOpen { open.append(request) } else { ended.append(request) }
    }
    guard !ended.isEmpty else { return [] }
    requests = open
    for request in ended { remember(request.id, request.ending ?? "it was cancelled") }
    return ended
  }

  private final func remember(_ id: UInt64, _ how: String) {
    if endedRequests.count == Self.memory { endedRequests.removeFirst() }
    endedRequests.append((id, how))
  }

  private final func updateRequestRecord() {
    let requests = openRequests().map {
      HandoverRecord.Request(id: $0.id, requester: $0.requester, site: $0.site, phase: $0.phase)
    }
    record.withLock { $0.requests = requests }
  }
}
