public import JunctorCore

extension DataReceiver {
  /// Hands a model to this receiver: stores it, and prepares the receiver as soon as that is ready.
  ///
  /// A model of another type does not compile. Where the receiver's type is not known, use
  /// ``Handover/deliver(_:to:from:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - model: what is handed over. Handing over `nil` prepares the receiver, too: with nothing.
  ///   - sender: who hands over, for the wiring; not retained.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Complexity: O(1); no allocation when the receiver is ready and keeps its slot itself.
  @inlinable
  public func handOver(
    _ model: Model?, from sender: AnyObject? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    take(model, from: sender, site: SourceSite(fileID: fileID, line: line))
  }

  /// Takes a model: straight away if nothing stands in the way.
  @inlinable
  internal func take(
    _ model: Model?, from sender: AnyObject?, site: @autoclosure () -> SourceSite
  ) {
    let slot = handoverSlot
    if slot.isQuiet && sender == nil && isReady {
      slot.countDelivery()
      // Asking the receiver would look for its slot once more where that is not stored.
      if slot.keepsModel { slot.model = model } else { self.model = model }
      prepare(with: model)
      return
    }
    let site = site()
    guard let began = slot.admit(to: self, isReady: isReady, from: sender, site: site) else {
      return slot.wait(PendingHandover(model: model, site: site, request: nil), for: self)
    }
    slot.countDelivery()
    self.model = model
    prepare(with: model)
    slot.noteHandover(to: Self.self, at: site, began: began)
  }

  /// Prepares this receiver with what waits for it.
  ///
  /// A class whose `isReady` is not always true calls this when it has become ready. Calling it again, or with nothing
  /// waiting, does nothing. What is handed over while this runs is prepared with before it returns.
  ///
  /// - Complexity: O(handovers that wait).
  @inlinable
  public func becomeReady() {
    let slot = handoverSlot
    if slot.isShared || !slot.isQuiet { slot.drain(into: self) }
  }

  /// Whether anything was handed over so far, be it `nil`.
  ///
  /// - Complexity: O(1).
  public var wasHandedOver: Bool { handoverSlot.lockedWasHandedOver }

  /// How many handovers wait for this receiver to become ready.
  ///
  /// - Complexity: O(1).
  public var pendingHandovers: Int { handoverSlot.waitingCount }
}
