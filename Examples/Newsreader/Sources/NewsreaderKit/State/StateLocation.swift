internal import Foundation

/// Knows where marks are kept when nothing else is said.
///
/// ## Concurrency
/// Pure functions; may be called anywhere.
enum StateLocation {
  /// The file in the user's data folder; the folder is made if it is not there.
  ///
  /// - Throws: `NewsreaderError`, when the folder cannot be made.
  /// - Complexity: O(1).
  static func standard() throws(NewsreaderError) -> String {
    let folder = dataFolder(ProcessInfo.processInfo.environment) + "/junctor-newsreader"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: 0o700)])
    } catch {
      throw NewsreaderError(
        code: .state,
        message:
          "Can't make '\(folder)': \(error.localizedDescription). Name a file with '--state'.")
    }
    return folder + "/state.json"
  }

  /// The user's data folder.
  ///
  /// - Parameter environment: the environment's variables.
  /// - Complexity: O(1).
  static func dataFolder(_ environment: [String: String]) -> String {
    // The specification says that a relative path is to be ignored.
    if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    #if os(macOS)
      return home + "/Library/Application Support"
    #else
      return home + "/.local/share"
    #endif
  }
}
