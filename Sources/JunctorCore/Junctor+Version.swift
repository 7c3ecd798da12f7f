extension Junctor {
  /// The version of the package: the one place where it is written in code.
  ///
  /// A test compares it with what the README tells users to depend on.
  package static let version = "0.1.0"
}
