public import JunctorCore

extension Diagnostic.Code {
  /// One name is used with two message types in one exchange: two channels that never meet.
  public static let nameCollision = Diagnostic.Code("channels.nameCollision")
  /// A listener threw, and the channel reports errors, or no poster gets to see the receipt.
  public static let listenerThrew = Diagnostic.Code("channels.listenerThrew")
  /// A listener took longer than the exchange's observation allows.
  public static let slowListener = Diagnostic.Code("channels.slowListener")
  /// A listener's owner died before it got a message.
  public static let listenerDiedUnheard = Diagnostic.Code("channels.listenerDiedUnheard")
  /// A listener's buffer was full, for the first time.
  public static let messageDropped = Diagnostic.Code("channels.messageDropped")
  /// Posts were nested so deeply, or so many waited for one another, that it must be a circle.
  public static let endlessPosts = Diagnostic.Code("channels.endlessPosts")
  /// A channel that must be heard was posted to, and nobody listened.
  public static let nobodyListens = Diagnostic.Code("channels.nobodyListens")
  /// An `.inline` listener of an actor was posted to from elsewhere.
  public static let wrongIsolation = Diagnostic.Code("channels.wrongIsolation")
  /// A wildcard's sign in a pattern stands where it is none.
  public static let invalidPattern = Diagnostic.Code("channels.invalidPattern")
  /// Two places ask for options of one channel that exclude each other.
  public static let optionConflict = Diagnostic.Code("channels.optionConflict")
}

extension Diagnostic {
  /// Says that a listener threw where no poster gets to see it.
  static func threwUnseen(_ error: any Error, on name: String, sites: [SourceSite]) -> Diagnostic {
    Diagnostic(
      .listenerThrew,
      "Can't finish a delivery on '\(shown(name))': a listener threw \(error), and no poster waits "
        + "for the receipt. Catch the error in the listener.", sites: sites)
  }
}
