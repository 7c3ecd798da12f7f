/// Why a file that is kept for the user cannot be read or written.
///
/// ## Concurrency
/// A value; may be used anywhere.
enum FileFailure: Error, Sendable, Hashable {
  /// What is in it makes no sense.
  case damaged
  /// A later version of the program wrote it.
  case newer(Int)
  /// It is marked as read-only.
  case readOnly
  /// It may not be read.
  case notPermitted
  /// It is a folder, a device or a pipe.
  case notRegular
  /// Its folder is not there.
  case noFolder
  /// There is no room left.
  case full
  /// The system said something else.
  case system(String)

  /// The cause, as part of a sentence.
  var cause: String {
    switch self {
    case .damaged: "what is in it is not what this reader wrote"
    case .newer(let version): "a newer reader wrote it (version \(version))"
    case .readOnly: "it is read-only, so marks are not kept"
    case .notPermitted: "its permissions do not allow it, so marks are not kept"
    case .notRegular: "it is not a file"
    case .noFolder: "its folder does not exist"
    case .full: "there is no room left, so marks are not kept"
    case .system(let message): "the system refused (\(message)), so marks are not kept"
    }
  }
}
