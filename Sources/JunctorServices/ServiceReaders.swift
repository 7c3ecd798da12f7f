internal import CJunctorServices

/// The look-ups that are under way on other threads.
enum ServiceReaders {
  /// Waits until those that began before have ended, so that what they may be reading can die. Hold no lock meanwhile.
  static func wait() { junctor_await_readers() }
}
