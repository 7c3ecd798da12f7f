public import CJunctorDelegates
internal import JunctorCore

/// What keeps a call from going on for ever where a circle is closed by forwarders that nobody knows to be some.
///
/// A circle of `MulticastHolder`s is refused when it is about to be closed. A class that forwards by hand and does not
/// say so is not recognised then. Its calls are: one that is nested more deeply than two hundred others, or made where
/// a circle was found, does not enter a list that it is inside of already. It reaches nobody, and that is reported once.
extension MulticastRegistry {
  /// Looks around for a call that is nested deeply. Returns whether it may go ahead; then it was noted.
  @usableFromInline
  func beginDeeply(_ call: UnsafeMutablePointer<junctor_call>, _ function: StaticString) -> Bool {
    // SAFETY: the call lies on this thread's stack and is the innermost there.
    switch unsafe junctor_begin_deep_call(call) {
    case junctor_permitted: return true
    case junctor_found_circle: reportCircle(function)
    default: break
    }
    return false
  }

  /// Reports that a call is inside itself.
  func reportCircle(_ function: StaticString) {
    Junctor.report(
      Diagnostic(
        Diagnostic.Code("delegates.circle"),
        "Can't call '\(function)' of '\(label)' again: it is being called from inside itself, over and"
          + " over. Take one of the targets that forward to one another out, and conform each to"
          + " 'MulticastHolder', so that adding it is refused.",
        sites: [site]))
  }
}
