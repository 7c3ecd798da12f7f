internal import JunctorCore

/// What was found in an object and what it contains, breadth first.
struct ReceiverSearch {
  /// One receiver that takes the model, and how to hand it over.
  struct Candidate {
    /// The receiver.
    let receiver: any DataReceiver
    /// Hands the model over; is given the sender.
    let accept: (AnyObject?) -> Void
  }

  /// The receivers.
  private(set) var receivers: [any DataReceiver] = []
  /// Receivers that belong to an actor that the caller is not on.
  private(set) var unreachable: [AnyObject] = []
  /// Whether there is a container among what was looked at.
  private(set) var hasContainer = false

  /// Looks at an object and at what it contains, each object once.
  init(in object: AnyObject) {
    var queue = [object]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
    var next = 0
    while next < queue.count {
      let object = queue[next]
      next += 1
      // The cast to a protocol that is not bound to classes makes the runtime check the isolation of the conformance.
      if object is any Preparable, let receiver = object as? any DataReceiver {
        receivers.append(receiver)
      } else if object is any DataReceiver {
        unreachable.append(object)
      }
      guard let container = object as? any ReceiverContainer else { continue }
      hasContainer = true
      for child in container.receiverChildren
      where seen.insert(ObjectIdentifier(child)).inserted { queue.append(child) }
    }
  }

  /// The one receiver that takes the model and, where there is a request, gives back what it asks for.
  func candidate<Model>(
    for model: Model, in object: AnyObject, request: (any ProviderRequest)? = nil, site: SourceSite
  ) throws(HandoverError) -> Candidate {
    var exact: [Candidate] = []
    var accepting: [Candidate] = []
    for receiver in receivers where request?.isAnswered(by: receiver) != false {
      switch Self.match(model, receiver, request?.base, site) {
      case (let candidate, true)?: exact.append(candidate)
      case (let candidate, false)?: accepting.append(candidate)
      case nil: break
      }
    }
    let candidates = exact.isEmpty ? accepting : exact
    if candidates.count == 1, let candidate = candidates.first { return candidate }
    throw error(
      for: model, in: object, candidates: candidates.map { Self.describe($0.receiver) },
      expected: request?.expected, site: site)
  }

  private static func match<Model, Receiver: DataReceiver>(
    _ model: Model, _ receiver: Receiver, _ request: AnyRequest?, _ site: SourceSite
  ) -> (Candidate, isExact: Bool)? {
    let taken: Receiver.Model?
    let isExact: Bool
    switch ModelMatch<Receiver.Model>(model) {
    case .exact(let value): (taken, isExact) = (value, true)
    case .accepted(let value): (taken, isExact) = (value, false)
    case .refused: return nil
    }
    let candidate = Candidate(receiver: receiver) { sender in
      receiver.handoverSlot.accept(
        PendingHandover(model: taken, site: site, request: request), for: receiver, from: sender)
    }
    return (candidate, isExact)
  }

  private func error<Model>(
    for model: Model, in object: AnyObject, candidates: [String], expected: String?,
    site: SourceSite
  ) -> HandoverError {
    let given = String(describing: type(of: model as Any))
    let name = String(describing: type(of: object))
    let start = "Can't hand over '\(given)' to '\(name)': "
    let listed: [String]
    let code: HandoverError.Code
    let rest: String
    if !candidates.isEmpty {
      (code, listed) = (.ambiguous, candidates)
      rest =
        "more than one receiver in it takes that, namely \(Self.list(listed))."
        + " Hand it to the one that is meant."
    } else if !receivers.isEmpty {
      (code, listed) = (.mismatch, receivers.map { Self.describe($0) })
      let back = expected.map { " or give no '\($0)' back" } ?? ""
      rest =
        "its receivers take something else\(back), namely \(Self.list(listed))."
        + " Hand over what one of them takes."
    } else if !unreachable.isEmpty {
      (code, listed) = (.otherIsolation, unreachable.map { String(describing: type(of: $0)) })
      rest =
        "\(Self.list(listed)) belongs to an actor that the caller is not on."
        + " Hand it over on that actor."
    } else {
      (code, listed) = (.noReceiver, [])
      rest =
        hasContainer
        ? "there is no receiver in it. Hand it over once the receiver has been added, or let it wait."
        : "it is neither a receiver nor a container of one. Make the class a 'DataReceiver'."
    }
    return HandoverError(
      code: code, message: start + rest, given: given, receivers: listed, site: site)
  }

  private static func describe<Receiver: DataReceiver>(_ receiver: Receiver) -> String {
    guard let provider = receiver as? any ResultProvider else {
      return "\(type(of: receiver)) (takes \(Receiver.Model.self))"
    }
    return "\(type(of: receiver)) (takes \(Receiver.Model.self), gives \(resultName(provider)))"
  }

  private static func resultName<Provider: ResultProvider>(_ provider: Provider) -> String {
    "\(Provider.Result.self)"
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }
}
