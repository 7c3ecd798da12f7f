public import JunctorChannels
internal import JunctorCore

extension Exchange {
  /// Joins a channel of this exchange with those of the same name and type in other processes.
  ///
  /// - Parameters:
  ///   - channel: names the channel.
  ///   - engine: what carries the messages.
  ///   - promise: what is promised for them.
  ///   - options: how they are treated beyond that.
  ///   - codec: makes bytes of them.
  ///   - fileID: where it is bridged.
  ///   - line: where it is bridged.
  /// - Returns: keep it: when it goes, the bridge ends.
  /// - Throws: `BridgeError` if the name is no legal subject, or an option has no meaning.
  public func bridge<Message: Codable & Sendable>(
    _ channel: Channel<Message>, over engine: any BridgeEngine,
    promise: BridgePromise = .atMostOnce, options: BridgeOptions = BridgeOptions(),
    codec: BridgeCodec<Message> = .json, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(BridgeError) -> Bridge {
    let site = SourceSite(fileID: fileID, line: line)
    let plan = try BridgePlan(
      engine: engine, promise: promise, options: options,
      subject: BridgeSubject(prefix: options.prefix, channel: channel.name), name: channel.name,
      type: String(reflecting: Message.self), exchange: self, site: site)
    let here = Channel<Message>(channel.name, in: self, fileID: fileID, line: line)
    let outbox = Outbox<Message>(plan, encode: codec.encode) { _ in here.survey.isHeard }
    return Bridge(plan, outbox, codec, into: self) {
      here.addOutlet(outbox, label: plan.label, site: site)
    }
  }

  /// Joins all channels of one message type whose name matches with those in other processes.
  ///
  /// - Parameters:
  ///   - pattern: which names are meant, here and there.
  ///   - type: the message type; channels of others are not joined.
  ///   - engine: what carries the messages.
  ///   - promise: what is promised for them.
  ///   - options: how they are treated beyond that.
  ///   - codec: makes bytes of them.
  ///   - fileID: where it is bridged.
  ///   - line: where it is bridged.
  /// - Returns: keep it: when it goes, the bridge ends.
  /// - Throws: `BridgeError` if the pattern is no legal subject, or an option has no meaning.
  public func bridge<Message: Codable & Sendable>(
    matching pattern: ChannelPattern, of type: Message.Type, over engine: any BridgeEngine,
    promise: BridgePromise = .atMostOnce, options: BridgeOptions = BridgeOptions(),
    codec: BridgeCodec<Message> = .json, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(BridgeError) -> Bridge {
    let site = SourceSite(fileID: fileID, line: line)
    let plan = try BridgePlan(
      engine: engine, promise: promise, options: options,
      subject: BridgeSubject(prefix: options.prefix, pattern: pattern), name: pattern.text,
      type: String(reflecting: Message.self), exchange: self, site: site)
    let outbox = Outbox<Message>(plan, encode: codec.encode) { [unowned self] name in
      Channel<Message>(name, in: self).survey.isHeard
    }
    return Bridge(plan, outbox, codec, into: self) {
      self.addOutlet(outbox, matching: pattern, label: plan.label, site: site)
    }
  }
}

extension Bridge {
  /// Joins the halves of a bridge for messages, in the directions that were asked for.
  fileprivate convenience init<Message: Sendable>(
    _ plan: BridgePlan, _ outbox: Outbox<Message>, _ codec: BridgeCodec<Message>,
    into exchange: Exchange, register: () -> Registration
  ) {
    var parts = Parts(owner: outbox)
    let core = outbox.core
    let inlet = Inlet<Message>(plan, into: exchange, decode: codec.decode)
    if plan.options.direction != .outgoing {
      let subscription = BridgeSubscription(
        subject: plan.subject.text, promise: plan.promise, group: plan.options.group,
        window: plan.options.window, redeliverAfter: plan.options.redeliverAfter)
      parts.route = plan.engine.subscribe(subscription) { inlet.receive($0) }
      parts.closeInlet = { inlet.close() }
      parts.hurryInlet = { [weak inlet] in inlet?.giveUp() }
    }
    if plan.options.direction != .incoming {
      let release = plan.promise.isAtLeastOnce ? plan.engine.prepare(plan.subject.text) : nil
      parts.closeOutbox = { core.close() }
      parts.drainOutbox = { await core.drain(within: $0) }
      parts.abandonOutbox = { core.abandon() }
      let stop = plan.engine.observe { [weak core] in core?.link($0) }
      parts.stopObserving = {
        stop()
        release?()
      }
      parts.registration = register()
    }
    parts.count = { status in
      core.count(into: &status)
      inlet.count(into: &status)
    }
    self.init(plan, parts)
  }
}
