internal import JunctorCore
internal import Synchronization

extension LocalChannel {
  /// Calls everybody who listens, in order.
  ///
  /// - Parameters:
  ///   - message: is handed to every listener.
  ///   - sender: is compared with the listeners' wishes and made known, weakly, to those who ask for the envelope.
  ///   - fileID: where it is posted.
  ///   - line: where it is posted.
  /// - Returns: what came of it.
  /// - Complexity: O(n). Allocates nothing for listeners that do not ask for the envelope.
  @discardableResult
  public func post(
    _ message: Message, from sender: AnyObject? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Receipt {
    let site = SourceSite(fileID: fileID, line: line)
    guard options.order == .queued else { return deliver(message, sender, site) }
    if isDelivering {
      // The sender is known weakly while its message waits.
      waiting.append(LocalPost(message: message, sender: sender.flatMap(Sender.init), site: site))
      if let circle = turns.note(site) { PostTurns.report(name, circle) }
      var deferred = Receipt()
      deferred.marks.insert(.deferred)
      return deferred
    }
    isDelivering = true
    turns = PostTurns()
    defer { isDelivering = false }
    let receipt = deliver(message, sender, site)
    while let next = waiting.popFirst() {
      _ = deliver(next.message, next.sender?.object, next.site, isAwaited: false)
    }
    return receipt
  }

  private func deliver(
    _ message: Message, _ sender: AnyObject?, _ site: SourceSite, isAwaited: Bool = true
  ) -> Receipt {
    guard enter(site) else {
      var refused = Receipt()
      refused.marks.insert(.refused)
      return refused
    }
    defer { leave() }
    let began = WiringHistory.begin()
    lastNumber += 1
    var pass = LocalPass(sender: sender, site: site, number: lastNumber, isAwaited: isAwaited)
    if options.replay.kind == .last { keep(message, pass.makeContext(name)) }
    var sawDead = false
    // The list as it stands; changes meanwhile are made to a copy.
    for entry in entries where entry.line.isCallable {
      let goesOn: Bool
      if !entry.line.owner.isBound {
        goesOn = deliver(message, to: entry, entry, &pass)
      } else if let owner = entry.line.owner.object {
        goesOn = deliver(message, to: entry, owner, &pass)
      } else {
        sawDead = true
        continue
      }
      if !goesOn { break }
    }
    if sawDead { reclaim() }
    settle(message, &pass)
    if began != 0 { note(pass.receipt, site, began: began) }
    if options.requiresListener, options.replay == .none, !pass.receipt.wasHeard {
      reportUnheard(site)
    }
    return pass.receipt
  }

  private func deliver(
    _ message: Message, to entry: LocalEntry<Message>, _ owner: AnyObject, _ pass: inout LocalPass
  ) -> Bool {
    if entry.line.sender.isBound {
      guard let sender = pass.sender, entry.line.sender.refers(to: sender) else {
        // Its sender is gone for good, and so is the reason to listen.
        if !entry.line.sender.isAlive { remove { $0 === entry } }
        return true
      }
    }
    if entry.held != nil {
      let context = pass.makeContext(name)
      entry.held?.append((message, context))
      if let circle = entry.turns.note(context.site) { PostTurns.report(name, circle) }
      pass.receipt.queuedCount &+= 1
      return true
    }
    return call(entry, owner, message, &pass)
  }

  /// Calls one listener. Returns whether to go on.
  func call(
    _ entry: LocalEntry<Message>, _ owner: AnyObject, _ message: Message, _ pass: inout LocalPass
  ) -> Bool {
    if entry.line.isOnce { remove { $0 === entry } }
    pass.receipt.calledCount &+= 1
    let began = WiringHistory.begin()
    defer {
      if began != 0 {
        WiringHistory.record(.delivery, name, site: entry.line.site, began: began, count: 1)
      }
    }
    do {
      if let call = entry.envelopeCall {
        try call(owner, message, Envelope(pass.makeContext(name)))
      } else {
        try entry.call(owner, message)
      }
    } catch {
      pass.receipt.add(Receipt.Failure(error: error, listener: entry.line.site))
      switch options.errors {
      case .report: report(error, by: entry)
      case .rethrowAfterAll, .stopAtFirst:
        if !pass.isAwaited {
          Junctor.report(.threwUnseen(error, on: name, sites: [entry.line.site, site]))
        }
        if options.errors == .stopAtFirst { return false }
      }
    }
    if let context = pass.context, context.isConsumed.load(ordering: .relaxed) {
      pass.receipt.marks.insert(.consumed)
      return false
    }
    return true
  }

  // MARK: - Nested posts

  /// Notes a post. Returns whether it may go ahead.
  private func enter(_ site: SourceSite) -> Bool {
    if isBroken { return false }
    if chain.count >= PostChain.limit {
      isBroken = true
      Junctor.report(PostChain.diagnostic(chain.map { (name, $0) }, name, site))
      return false
    }
    chain.append(site)
    return true
  }

  private func leave() {
    chain.removeLast()
    if chain.isEmpty { isBroken = false }
  }

  // MARK: - Reports

  private func note(_ receipt: Receipt, _ site: SourceSite, began: UInt64) {
    WiringHistory.record(.post, name, site: site, began: began, count: Int(receipt.calledCount))
    if !receipt.wasHeard { WiringHistory.record(.drop, name, site: site) }
  }

  private func report(_ error: any Error, by entry: LocalEntry<Message>) {
    Junctor.report(
      Diagnostic(
        .listenerThrew,
        "Can't finish a delivery on '\(shown(name))': a listener threw \(error). "
          + "Catch the error in the listener, or give the channel another error policy.",
        sites: [entry.line.site, site]))
  }

  private func reportUnheard(_ posted: SourceSite) {
    Junctor.report(
      Diagnostic(
        .nobodyListens,
        "Can't deliver '\(shown(name))': nobody listens. Listen before it is posted, or drop "
          + "'requiresListener' from the channel's options.",
        sites: [posted, site]))
  }
}

/// What one delivery of a confined channel gathers on its way.
struct LocalPass {
  /// What came of it so far.
  var receipt = Receipt()
  /// Made when it is first asked for.
  private(set) var context: PostContext?
  /// Who posted.
  let sender: AnyObject?
  /// Whether the poster gets to see the receipt.
  let isAwaited: Bool
  private let site: SourceSite
  private let number: UInt64

  /// Begins a delivery.
  init(sender: AnyObject?, site: SourceSite, number: UInt64, isAwaited: Bool) {
    self.sender = sender
    self.isAwaited = isAwaited
    self.site = site
    self.number = number
  }

  /// Goes on with a delivery that was put off.
  init(_ context: PostContext) {
    sender = nil
    isAwaited = false
    site = context.site
    number = 0
    self.context = context
  }

  /// What belongs to the post; the same for all who ask.
  mutating func makeContext(_ name: String) -> PostContext {
    if let context { return context }
    let made = PostContext(name: name, sender: sender, site: site)
    made.number.store(number, ordering: .relaxed)
    context = made
    return made
  }
}
