internal import Junctor
internal import JunctorWiring

/// Writes who is joined to whom.
///
/// ## Concurrency
/// Pure functions; may be called anywhere.
enum WiringPicture {
  /// Whether a file's suffix names a picture.
  ///
  /// - Parameter path: the file.
  /// - Complexity: O(length).
  static func isPossible(_ path: String) -> Bool { WiringFormat(suffixOf: path) != nil }

  /// Writes the picture of this moment.
  ///
  /// - Parameter path: the file; its suffix says what kind of picture.
  /// - Throws: `NewsreaderError` with the code `wiring`.
  /// - Complexity: O(number of registrations).
  static func write(to path: String) throws(NewsreaderError) {
    do throws(WiringError) {
      try Wiring.snapshot().write(to: path)
    } catch {
      throw NewsreaderError(code: .wiring, message: error.message)
    }
  }
}
