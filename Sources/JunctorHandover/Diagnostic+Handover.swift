public import JunctorCore

extension Diagnostic.Code {
  /// A receiver or container went away before it was prepared with what was handed to it.
  public static let handoverNeverArrived = Diagnostic.Code("handover.neverArrived")

  /// More than one receiver takes what waited with a container.
  public static let handoverAmbiguous = Diagnostic.Code("handover.ambiguous")

  /// A result came after its request had ended, or with no request open.
  public static let resultTooLate = Diagnostic.Code("handover.resultTooLate")

  /// A result was meant for a request that this receiver does not know.
  public static let resultForUnknownRequest = Diagnostic.Code("handover.unknownRequest")
}
