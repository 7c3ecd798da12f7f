/// A request whose result's type is not known.
protocol ProviderRequest {
  /// The request itself.
  var base: AnyRequest { get }

  /// What its result must be, by name.
  var expected: String { get }

  /// Whether a receiver gives such results back.
  func isAnswered(by receiver: any DataReceiver) -> Bool
}

extension Request: ProviderRequest {
  var base: AnyRequest { self }

  var expected: String { String(describing: Result.self) }

  func isAnswered(by receiver: any DataReceiver) -> Bool {
    guard let provider = receiver as? any ResultProvider else { return false }
    return Self.isResult(of: provider)
  }

  private static func isResult<Provider: ResultProvider>(of provider: Provider) -> Bool {
    Provider.Result.self == Result.self
  }
}
