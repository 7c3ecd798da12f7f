internal import JunctorCore

extension ResultProvider {
  /// The requests that wait for a result, oldest first.
  ///
  /// - Complexity: O(open requests).
  public var openRequests: [HandoverRequest<Result>.ID] {
    handoverSlot.openRequests().map { HandoverRequest<Result>.ID(number: $0.id) }
  }

  /// The request that came with the model this was prepared with last, as far as it is open.
  ///
  /// - Complexity: O(open requests).
  public var currentRequest: HandoverRequest<Result>.ID? {
    handoverSlot.openRequests().last(where: \.isDelivered).map { .init(number: $0.id) }
  }

  /// Gives a result back. The request ends with it.
  ///
  /// A result for a request that was answered already, was cancelled or has yet to arrive is reported and ignored. Where
  /// nobody ever asked, as with a model that was merely handed over, it is ignored.
  ///
  /// - Parameters:
  ///   - value: what is given back.
  ///   - id: which request is answered; if none is named, the latest open one whose model has arrived.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Returns: whether somebody waited for it.
  /// - Complexity: O(open requests).
  @discardableResult
  public func giveBack(
    _ value: Result, to id: HandoverRequest<Result>.ID? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Bool {
    let slot = handoverSlot
    let number = id?.number
    // Another thread may answer the one that was found; where none was named, the next one is as good.
    func answered() -> AnyRequest? {
      slot.openRequests().last { open in number.map { $0 == open.id } ?? open.isDelivered }
    }
    while let request = answered() {
      if let request = request as? Request<Result>,
        request.end(.value(value), because: "it was answered already")
      {
        slot.sweepRequests()
        return true
      }
      if request.phase.isOpen { break }
    }
    reportIgnored(number, site: SourceSite(fileID: fileID, line: line))
    return false
  }

  /// Ends a request without a result.
  ///
  /// - Parameter id: which request; if none is named, all that are open.
  /// - Complexity: O(open requests).
  public func cancelRequests(_ id: HandoverRequest<Result>.ID? = nil) {
    let slot = handoverSlot
    guard let id else { return slot.endAllRequests(because: "the receiver was left without one") }
    slot.openRequests().first { $0.id == id.number }?
      .cancel(because: "the receiver was left without one")
    slot.sweepRequests()
  }

  private func reportIgnored(_ number: UInt64?, site: SourceSite) {
    let receiver = String(describing: type(of: self))
    let cause: String
    let code: Diagnostic.Code
    if let number {
      let fate = handoverSlot.fate(of: number)
      cause = fate ?? "it did not ask this receiver, or long ago"
      code = fate == nil ? .resultForUnknownRequest : .resultTooLate
    } else {
      if !handoverSlot.openRequests().isEmpty {
        cause = "the model of the request that is open has yet to arrive"
      } else if let latest = handoverSlot.latestFate() {
        cause = "no request is open any more; of the latest one: \(latest)"
      } else {
        return
      }
      code = .resultTooLate
    }
    let name = number.map { "request \($0)" } ?? "\(receiver)'s requester"
    Junctor.report(
      Diagnostic(
        code,
        "Can't give a result back to '\(name)': \(cause). Give it back once, while"
          + " 'openRequests' names the request.",
        sites: [site]))
  }
}
