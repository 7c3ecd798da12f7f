/// Anything that can stand behind a services set and give what the set lacks.
///
/// `Services` itself is one. A container of another make joins by writing the one method:
///
/// ```swift
/// struct Legacy: ServicesProvider {
///   func service<P: Sendable>(_ type: P.Type, name: ServiceName?) throws -> P? {
///     OldContainer.shared.resolve(type, key: name?.rawValue)
///   }
/// }
/// ```
///
/// ## Concurrency
/// The method is called from any thread, with no lock of a set's held.
public protocol ServicesProvider: Sendable {
  /// Returns a service, or `nil` when there is none here.
  ///
  /// - Parameters:
  ///   - type: what is asked for.
  ///   - name: the name that was asked with.
  /// - Returns: the service, or `nil`.
  /// - Throws: why a service that exists cannot be given.
  func service<P: Sendable>(_ type: P.Type, name: ServiceName?) throws -> P?
}
