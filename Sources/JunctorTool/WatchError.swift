/// Why an inspector can't be watched.
struct WatchError: Error, Sendable, Equatable {
  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  let message: String

  private init(_ address: WatchAddress, _ cause: String, _ cure: String) {
    message = "Can't watch '\(address.shown)': \(cause). \(cure)."
  }

  /// The host's name is not known.
  static func unknownHost(_ address: WatchAddress) -> WatchError {
    WatchError(address, "there is no such host", "Check the URL")
  }

  /// No connection, and what the system says.
  static func unreachable(_ address: WatchAddress, _ cause: String) -> WatchError {
    WatchError(
      address, cause, "Start the program with its inspector, and give the URL that it printed")
  }

  /// There was no answer in time.
  static func silent(_ address: WatchAddress) -> WatchError {
    WatchError(address, "it does not answer", "See whether the program hangs, or try again")
  }

  /// The token is wrong.
  static func refused(_ address: WatchAddress) -> WatchError {
    WatchError(
      address, "it refuses the token",
      "Each start of an inspector makes a new one: give the URL that the program printed last")
  }

  /// It is something else.
  static func foreign(_ address: WatchAddress, _ cause: String) -> WatchError {
    WatchError(
      address, "it is no inspector: \(cause)", "Give the URL that the program printed")
  }

  /// It is of a later version.
  static func newer(_ address: WatchAddress) -> WatchError {
    WatchError(address, "its Junctor is newer than this one", "Use a newer '\(HelpText.tool)'")
  }

  /// The answer ended early.
  static func truncated(_ address: WatchAddress) -> WatchError {
    WatchError(
      address, "its answer ends before it is complete",
      "If the program has ended, start it again")
  }

  /// The program has ended.
  static func ended(_ address: WatchAddress) -> WatchError {
    WatchError(
      address, "the inspector was stopped, or its program has ended", "Start it again")
  }

  /// It has too much to do.
  static func busy(_ address: WatchAddress) -> WatchError {
    WatchError(address, "it is too busy", "Close pages that show it, and try again")
  }
}
