public import JunctorChannels
internal import JunctorCore

extension Exchange {
  /// Lets requests on a channel of this exchange be answered in other processes, and theirs here.
  ///
  /// Who answers here is asked first; what nobody here has answered is asked elsewhere. Of the processes that answer, which
  /// are those with the direction `.both` or `.incoming`, one is asked. Processes that ask and never answer should say
  /// `.outgoing`, so that they are not asked in vain. Nothing is kept: a request finds an answer now or not at all.
  ///
  /// - Parameters:
  ///   - channel: names the channel.
  ///   - engine: what carries the messages.
  ///   - options: how they are treated; `group` names those of which one is asked, all who answer if it is `nil`.
  ///   - requests: makes bytes of requests.
  ///   - replies: makes bytes of replies.
  ///   - fileID: where it is bridged.
  ///   - line: where it is bridged.
  /// - Returns: keep it: when it goes, the bridge ends.
  /// - Throws: `BridgeError` if the name is no legal subject, or an option has no meaning.
  public func bridge<Request: Codable & Sendable, Reply: Codable & Sendable>(
    _ channel: RequestChannel<Request, Reply>, over engine: any BridgeEngine,
    options: BridgeOptions = BridgeOptions(), requests: BridgeCodec<Request> = .json,
    replies: BridgeCodec<Reply> = .json, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(BridgeError) -> Bridge {
    let site = SourceSite(fileID: fileID, line: line)
    let plan = try BridgePlan(
      engine: engine, promise: .atMostOnce, options: options,
      subject: BridgeSubject(prefix: options.prefix, channel: channel.name), name: channel.name,
      type: String(reflecting: Request.self), exchange: self, site: site)
    let here = RequestChannel<Request, Reply>(channel.name, in: self, fileID: fileID, line: line)
    let asker = Asker<Request, Reply>(plan, encode: requests.encode, decode: replies.decode)
    let answerer = Answerer(plan, here, decode: requests.decode, encode: replies.encode)
    var parts = Bridge.Parts(owner: asker)
    if options.direction != .outgoing {
      let subscription = BridgeSubscription(
        subject: plan.subject.text, group: options.group ?? "answers", window: options.window)
      parts.route = engine.subscribe(subscription) { answerer.receive($0) }
      parts.drainInlet = { await answerer.rest(within: $0) }
    }
    if options.direction != .incoming {
      parts.closeOutbox = { asker.close() }
      parts.drainOutbox = { _ in asker.close() }
      parts.registration = here.questions.addOutlet(asker, label: plan.label, site: site)
    }
    parts.count = { status in
      asker.count(into: &status)
      answerer.count(into: &status)
    }
    return Bridge(plan, parts)
  }
}
