public import JunctorCore

/// Why a service cannot be given: a sentence with the cure, the path, and the error behind it.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct ServiceError: Error, Sendable {
  /// What kind of error it is. Codes are compared; texts are read.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String {
      case missing, providerFailed, cycle, tooDeep, needsAwait, noScope, notAnObject, closed
      case startFailed, closeFailed, timedOut, noStack, invalid, unimplemented
    }

    private let value: Value

    /// Nobody provides the service.
    public static let missing = Code(value: .missing)
    /// The provider threw; `cause` is what it threw.
    public static let providerFailed = Code(value: .providerFailed)
    /// The service would need itself.
    public static let cycle = Code(value: .cycle)
    /// Too many providers inside one another.
    public static let tooDeep = Code(value: .tooDeep)
    /// The provider is asynchronous or belongs to the main actor, and was asked for synchronously.
    public static let needsAwait = Code(value: .needsAwait)
    /// No set carries the scope that the service lives in.
    public static let noScope = Code(value: .noScope)
    /// A service that is to be held weakly is not an instance of a class.
    public static let notAnObject = Code(value: .notAnObject)
    /// The set is closed.
    public static let closed = Code(value: .closed)
    /// A service could not be started; those that were have been closed again.
    public static let startFailed = Code(value: .startFailed)
    /// Some services could not be closed; `causes` has them all.
    public static let closeFailed = Code(value: .closeFailed)
    /// A service took longer to close than it was given.
    public static let timedOut = Code(value: .timedOut)
    /// The stack is used up and the system gave no other.
    public static let noStack = Code(value: .noStack)
    /// `validate()` found problems.
    public static let invalid = Code(value: .invalid)
    /// A double was asked for something that its test did not implement.
    public static let unimplemented = Code(value: .unimplemented)

    /// The code's name.
    public var description: String { value.rawValue }
  }

  /// What kind of error it is.
  public let code: Code

  /// The sentence, in the form *Can't ⟨verb⟩ '⟨name⟩': ⟨cause⟩. ⟨What to do⟩.*
  ///
  /// What is near to a service that is missing is looked for when this is read first.
  ///
  /// - Complexity: O(1); O(registrations of the sets that were searched) for `missing`, the first time.
  public var message: String { missing?.message ?? words }

  /// The service that could not be given, where it is one.
  public let key: ServiceKey?

  /// What was thrown by the user's code, where that is the cause.
  public let cause: (any Error)?

  /// What was thrown, where several things were.
  public let causes: [any Error]

  /// Where it happened, the most telling place first.
  public let sites: [SourceSite]

  private let words: String
  private let missing: MissingService?
  // Innermost first, so that each provider that the error passes adds its step at the end.
  private var steps: [ServiceStep] = []
  private var omitted = 0

  /// The services whose providers were running, outermost first, at most the 64 innermost.
  public var path: [ServiceStep] { steps.reversed() }

  /// Puts an error together.
  init(
    _ code: Code, _ message: String, key: ServiceKey? = nil, cause: (any Error)? = nil,
    causes: [any Error] = [], sites: [SourceSite] = [], path: [ServiceStep] = []
  ) {
    self.code = code
    words = message
    missing = nil
    self.key = key
    self.cause = cause
    self.causes = causes
    self.sites = sites
    steps = path.reversed()
  }

  /// The error of a service that nobody provides.
  init(_ missing: MissingService, _ request: ServiceRequest) {
    code = .missing
    words = ""
    self.missing = missing
    key = request.key
    cause = nil
    causes = []
    sites = [request.site]
  }

  /// The same error, having passed one more provider.
  func passing(_ step: ServiceStep) -> ServiceError {
    guard code != .cycle else { return self }
    var error = self
    if error.steps.count < 64 { error.steps.append(step) } else { error.omitted += 1 }
    return error
  }
}

extension ServiceError: CustomStringConvertible {
  /// The sentence, followed by the path.
  public var description: String {
    guard code != .cycle, steps.count + omitted > 1 else { return message }
    let more = omitted > 0 ? "(\(omitted) more) → " : ""
    return message + " Path: " + more + path.map(\.description).joined(separator: " → ") + "."
  }
}
