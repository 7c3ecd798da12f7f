internal import JunctorCore

/// A channel whose messages ask for an answer: one asks, whoever knows answers.
///
/// ```swift
/// let price = RequestChannel<Item, Money>("shop.price")
/// price.answer(for: self) { me, item in me.prices[item] }
/// let money = try await price.request(item, timeout: .seconds(2))
/// ```
///
/// - Those who answer are asked in the order of their priority, then of registration; the first answer counts, and those
///   after it are not asked.
/// - Who returns `nil` leaves the question to the others. Who wants to answer later keeps the `Question`.
/// - When nobody who was asked can answer any more, the request fails at once: it does not wait for its time-out.
///
/// ## Concurrency
/// A value; may be used anywhere. Those who answer are called like the listeners of a `Channel`.
public struct RequestChannel<Request: Sendable, Reply: Sendable>: Sendable {
  /// The channel that the questions travel on.
  public let questions: Channel<Question<Request, Reply>>

  /// Names a channel of the shared exchange, whichever that is where the channel is used.
  ///
  /// - Parameters:
  ///   - name: any text.
  ///   - fileID: where the channel is named.
  ///   - line: where the channel is named.
  /// - Complexity: O(length of the name).
  public init(_ name: String, fileID: StaticString = #fileID, line: UInt = #line) {
    questions = Channel(name, fileID: fileID, line: line)
  }

  /// Names a channel of one exchange.
  ///
  /// - Parameters:
  ///   - name: any text.
  ///   - exchange: where the channel belongs.
  ///   - fileID: where the channel is named.
  ///   - line: where the channel is named.
  /// - Complexity: O(length of the name).
  public init(
    _ name: String, in exchange: Exchange, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    questions = Channel(name, in: exchange, fileID: fileID, line: line)
  }

  /// The channel's name.
  public var name: String { questions.name }
}

extension RequestChannel {
  /// Asks, and waits for the first answer.
  ///
  /// - Parameters:
  ///   - request: what is asked.
  ///   - timeout: how long to wait; `nil` for as long as somebody may still answer.
  ///   - sender: who asks; is made known, weakly, to those who answer.
  ///   - clock: measures the time-out.
  ///   - isolation: where the asker is; filled in by the compiler.
  ///   - fileID: where it is asked.
  ///   - line: where it is asked.
  /// - Returns: the first answer.
  /// - Throws: `RequestError` if nobody answered, if the time was over, or if one who was asked threw;
  ///   `CancellationError` if the task was cancelled.
  /// - Complexity: O(number of those who may answer), and the wait.
  public func request<C: Clock>(
    _ request: Request, timeout: Duration? = nil, from sender: AnyObject? = nil,
    clock: C = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws -> Reply where C.Duration == Duration {
    let site = SourceSite(fileID: fileID, line: line)
    let slot = ReplySlot<Reply>(name: name, site: site)
    // From here on the question alone keeps the slot open.
    post(request, slot, from: sender, isolation: isolation, fileID: fileID, line: line)
    guard let timeout else { return try await slot.wait() }
    let timer = Task {
      try await clock.sleep(for: timeout.waitable)
      slot.fail(.timedOut(name, timeout, site))
    }
    defer { timer.cancel() }
    return try await slot.wait()
  }

  private func post(
    _ request: Request, _ slot: ReplySlot<Reply>, from sender: AnyObject?,
    isolation: isolated (any Actor)?, fileID: StaticString, line: UInt
  ) {
    let question = Question(request: request, holder: ReplyHolder(slot))
    let receipt =
      if let sender {
        questions.post(question, from: sender, fileID: fileID, line: line)
      } else {
        questions.post(question, fileID: fileID, line: line)
      }
    slot.noteAsked(receipt.isDeferred ? 1 : receipt.called + receipt.queued)
    extendLifetime(question)
  }
}
