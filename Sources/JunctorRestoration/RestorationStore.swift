internal import JunctorCore

/// Keeps models in one file, to be brought back after the process has ended, however it ended.
///
/// - Keys and versions are stated by the program; no type's name is in the file.
/// - A change replaces the file in one step: killed at any moment, the store holds the old or the new state.
/// - Several processes may use one file at once: each change is made to what is there at that moment. The lock is a file
///   beside it, with `.lock` at the end of its name.
/// - No file: the store is empty. A key that is not there: nothing is found.
/// - A damaged line is reported and kept aside, and the others are read; so is a missing end. A file that is no store at all is reported, moved
///   to a name that ends in `.damaged-1` (or the next free number), and the store is empty.
/// - A file of a newer format is an error, and is not touched.
/// - An entry of a newer version than asked for is reported and stays; putting an older one in its place keeps it aside. An
///   entry of an older version is upgraded by the program, or reported and stays.
///
/// ## Concurrency
/// May be used from any thread. Calls wait for the disk, and for other processes that make a change. Models are encoded and
/// decoded, and diagnostics reported, with no lock held.
public struct RestorationStore: Sendable {
  /// Where the file is.
  public let path: String

  /// Names a store. Nothing is opened yet.
  ///
  /// - Parameter path: the file; its folder must exist.
  public init(path: String) { self.path = path }

  /// Makes changes, all or none.
  ///
  /// - Parameter batch: the changes.
  /// - Throws: ``RestorationError`` where the file cannot be read or written, or is of a newer format. Then nothing was
  ///   changed.
  /// - Complexity: O(size of the file).
  public func commit(_ batch: RestorationBatch) throws(RestorationError) {
    guard !batch.isEmpty else { return }
    try change { batch.apply(to: &$0) }
  }

  /// Puts one model away.
  ///
  /// - Parameters:
  ///   - model: the model; `nil` is put away as such.
  ///   - key: what it is found by.
  ///   - version: the version of the model's form.
  /// - Throws: ``RestorationError``.
  /// - Complexity: O(size of the file).
  public func put<Model: Encodable>(
    _ model: Model?, forKey key: String, version: Int
  ) throws(RestorationError) {
    var batch = RestorationBatch()
    try batch.put(model, forKey: key, version: version)
    try commit(batch)
  }

  /// Removes what is stored under a key.
  ///
  /// - Parameter key: what it was found by.
  /// - Throws: ``RestorationError``.
  /// - Complexity: O(size of the file).
  public func remove(_ key: String) throws(RestorationError) {
    var batch = RestorationBatch()
    batch.remove(key)
    try commit(batch)
  }

  /// The keys that are there, sorted.
  ///
  /// - Returns: the keys.
  /// - Throws: ``RestorationError``.
  /// - Complexity: O(size of the file).
  public func keys() throws(RestorationError) -> [String] {
    try contents().entries.keys.sorted()
  }

  /// What was kept aside because it could not be read or decoded, oldest first, as it stood in the file.
  ///
  /// - Returns: the lines.
  /// - Throws: ``RestorationError``.
  /// - Complexity: O(size of the file).
  public func keptAside() throws(RestorationError) -> [String] {
    try contents().aside
  }
}
