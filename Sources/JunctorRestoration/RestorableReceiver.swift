public import JunctorHandover

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A receiver whose model can be put away and brought back.
///
/// ```swift
/// final class ReadingScreen: RestorableReceiver {
///   var restorationKey: String { "reading" }
///   static var restorationVersion: Int { 2 }
///   func prepare(with article: Article?) { … }
/// }
/// try store.putAway(screen)                 // before the process ends
/// try store.bringBack(into: screen)         // in the next one: hands the model over again
/// ```
///
/// ## Concurrency
/// Isolated like the conforming class.
public protocol RestorableReceiver: DataReceiver where Model: Codable {
  /// What its model is found by. Stated by the program, and never made of a type's name, which changes.
  var restorationKey: String { get }

  /// The version of the model's form. Raise it when an older program could not read the new form.
  static var restorationVersion: Int { get }

  /// Makes a model of what an older version stored, given as JSON; `nil` where it knows no way.
  ///
  /// - Parameters:
  ///   - json: what was stored.
  ///   - version: the version it was stored by.
  /// - Returns: the model.
  /// - Throws: what the decoding throws; the entry is then kept aside.
  static func upgrade(_ json: Data, from version: Int) throws -> Model?
}

extension RestorableReceiver {
  /// Knows no way from older versions.
  ///
  /// - Parameters:
  ///   - json: what was stored.
  ///   - version: the version it was stored by.
  /// - Returns: nothing.
  /// - Throws: nothing.
  public static func upgrade(_ json: Data, from version: Int) throws -> Model? { nil }
}

extension RestorationStore {
  /// Puts a receiver's model away, if anything was handed to it; else removes what was put away before.
  ///
  /// - Parameter receiver: the receiver.
  /// - Throws: ``RestorationError``.
  /// - Complexity: O(size of the file).
  public func putAway<Receiver: RestorableReceiver>(
    _ receiver: Receiver
  ) throws(RestorationError) {
    var batch = RestorationBatch()
    try batch.putAway(receiver)
    try commit(batch)
  }

  /// Hands a receiver what was put away for it.
  ///
  /// - Parameters:
  ///   - receiver: the receiver, prepared as by any handover.
  ///   - fileID: filled in by the compiler.
  ///   - line: filled in by the compiler.
  /// - Returns: whether there was something.
  /// - Throws: ``RestorationError`` where the file itself cannot be read.
  /// - Complexity: O(size of the file).
  @discardableResult
  public func bringBack<Receiver: RestorableReceiver>(
    into receiver: Receiver, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(RestorationError) -> Bool {
    let found = try model(
      Receiver.Model.self, forKey: receiver.restorationKey, version: Receiver.restorationVersion,
      upgrade: Receiver.upgrade)
    guard case .model(let model) = found else { return false }
    receiver.handOver(model, fileID: fileID, line: line)
    return true
  }
}

extension RestorationBatch {
  /// Puts a receiver's model away with the rest; if it has none, removes what was put away.
  ///
  /// - Parameter receiver: the receiver.
  /// - Throws: ``RestorationError`` with the code `cannotEncode`.
  /// - Complexity: O(size of the model).
  public mutating func putAway<Receiver: RestorableReceiver>(
    _ receiver: Receiver
  ) throws(RestorationError) {
    guard receiver.wasHandedOver else { return remove(receiver.restorationKey) }
    try put(
      receiver.model, forKey: receiver.restorationKey, version: Receiver.restorationVersion)
  }
}
