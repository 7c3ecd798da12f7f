#if NATS
  internal import CJunctorNATS
  internal import JunctorBridge
  internal import JunctorCore

  /// Makes the streams and consumers that bridges need, unless they are there.
  ///
  /// ## Concurrency
  /// Every call waits for the server; called on the connection's own queue only.
  struct JetStream: Sendable {
    /// The connection.
    let client: NATSClient
    /// How streams keep messages.
    let storage: NATSOptions.Storage
    /// How long a request may take, in milliseconds.
    let timeout: Int64

    /// Makes sure that a subject's messages are kept. Returns the name of the stream that does.
    func ensureStream(_ subject: String) throws(BridgeError) -> String {
      let found = try request(
        "STREAM.NAMES", "{\"subject\":\(quoted(subject))}", subject)
      for name in found.streams ?? [] {
        let information = try request("STREAM.INFO.\(name)", "", subject)
        let subjects = information.config?.subjects ?? []
        if subjects.contains(where: { JetStreamNames.covers($0, subject) }) { return name }
      }
      let name = JetStreamNames.stream(for: subject)
      _ = try request("STREAM.CREATE.\(name)", configuration(name, subject), subject)
      return name
    }

    private func configuration(_ name: String, _ subject: String) -> String {
      let age = storage.longestAge.map { $0.milliseconds * 1_000_000 } ?? 0
      return """
        {"name":\(quoted(name)),"subjects":[\(quoted(subject))],\
        "retention":"\(storage.keepsHandled ? "limits" : "interest")","discard":"new",\
        "max_bytes":\(limit(storage.mostBytes)),"max_msgs":\(limit(storage.mostMessages)),\
        "max_age":\(age),"storage":"\(storage.isInMemory ? "memory" : "file")",\
        "num_replicas":\(max(1, storage.replicas)),"max_consumers":-1,\
        "duplicate_window":\(age > 0 ? min(age, 120_000_000_000) : 120_000_000_000)}
        """
    }

    private func limit(_ number: Int64) -> Int64 { number > 0 ? number : -1 }

    /// Makes sure that the server remembers one side's progress. Returns where it delivers.
    func ensureConsumer(
      _ subscription: BridgeSubscription, durable: String, stream: String
    ) throws(BridgeError) {
      let subject = subscription.subject
      let consumer = JetStreamNames.consumer(durable: durable, subject: subject)
      let group = subscription.group.map { ",\"deliver_group\":\(quoted($0))" } ?? ""
      let configuration = """
        {"stream_name":\(quoted(stream)),"config":{"durable_name":\(quoted(consumer)),\
        "deliver_subject":\(quoted(JetStreamNames.delivery(stream: stream, consumer: consumer))),\
        "deliver_policy":"new","ack_policy":"explicit","replay_policy":"instant","max_deliver":-1,\
        "ack_wait":\(subscription.redeliverAfter.milliseconds * 1_000_000),\
        "max_ack_pending":\(subscription.window),"filter_subject":\(quoted(subject))\(group)}}
        """
      _ = try request("CONSUMER.DURABLE.CREATE.\(stream).\(consumer)", configuration, subject)
    }

    /// The number of the last message that a stream has.
    func lastNumber(_ stream: String) throws(BridgeError) -> UInt64 {
      try request("STREAM.INFO.\(stream)", "", stream).state?.last_seq ?? 0
    }

    /// Whether a consumer has handled everything up to a number, or everything there is.
    func hasReached(
      _ number: UInt64, _ consumer: String, of stream: String
    ) throws(BridgeError) -> Bool {
      let found = try request("CONSUMER.INFO.\(stream).\(consumer)", "", stream)
      if found.num_pending == 0, found.num_ack_pending == 0 { return true }
      return found.ack_floor?.stream_seq ?? 0 >= number
    }

    private func request(
      _ method: String, _ body: String, _ subject: String
    ) throws(BridgeError) -> JetStreamReply {
      let (code, bytes) = client.request("$JS.API.\(method)", body, timeout: timeout)
      if code == JUNCTOR_NATS_NO_RESPONDERS {
        throw JetStreamReply.Failure(
          code: nil, err_code: 10076, description: "nobody answers for JetStream"
        ).error(subject)
      }
      if code != JUNCTOR_NATS_OK { throw NATSFailure.error(code, "", subject) }
      guard let reply = JetStreamReply(bytes) else {
        throw BridgeError(
          .refused,
          "Can't keep messages of '\(shown(subject))': the server's answer can't be read. Bring the "
            + "server to version 2.9 or later.")
      }
      if let failure = reply.error { throw failure.error(subject) }
      return reply
    }
  }
#endif
