public import JunctorCore

extension Diagnostic.Code {
  /// A file was found that is no store; it was moved aside.
  public static let restorationFileDamaged = Diagnostic.Code("restoration.fileDamaged")

  /// An entry was found damaged, and was kept aside; or the end of the file was missing.
  public static let restorationEntryDamaged = Diagnostic.Code("restoration.entryDamaged")

  /// An entry could not be decoded; it was kept aside.
  public static let restorationEntryUndecodable = Diagnostic.Code("restoration.entryUndecodable")

  /// An entry is of a version that the program does not know; it was left alone.
  public static let restorationVersionUnknown = Diagnostic.Code("restoration.versionUnknown")
}
