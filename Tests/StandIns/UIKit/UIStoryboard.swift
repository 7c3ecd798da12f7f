/// A change from one view controller to another.
open class UIStoryboardSegue: UIResponder {
  /// The segue's name.
  public let identifier: String?
  /// Where it starts.
  public let source: UIViewController
  /// Where it ends.
  public let destination: UIViewController
  private let action: (UIViewController, UIViewController) -> Void

  /// Makes a segue that does something.
  public init(
    identifier: String?, source: UIViewController, destination: UIViewController,
    performHandler: @escaping (UIViewController, UIViewController) -> Void
  ) {
    self.identifier = identifier
    self.source = source
    self.destination = destination
    action = performHandler
  }

  /// Does it.
  open func perform() { action(source, destination) }
}

/// View controllers and segues by name. The real one is drawn; this one is written down with `add` and `connect`.
open class UIStoryboard: UIResponder {
  /// What a segue does.
  public enum SegueKind: Sendable {
    /// Shows the destination: pushed where there is a navigation controller, else presented.
    case show
    /// Presents the destination.
    case present
    /// Puts the destination into the source's view as that is loaded.
    case embed
  }

  private struct Connection {
    let identifier: String
    let kind: SegueKind
    let source: String
    let destination: String
  }

  private var scenes: [String: () -> UIViewController] = [:]
  private var connections: [Connection] = []

  /// Writes down a scene.
  public func add(_ identifier: String, _ make: @escaping () -> UIViewController) {
    scenes[identifier] = make
  }

  /// Writes down a segue.
  public func connect(
    _ source: String, _ destination: String, by identifier: String, _ kind: SegueKind
  ) {
    connections.append(
      Connection(identifier: identifier, kind: kind, source: source, destination: destination))
  }

  /// Makes the view controller of a scene. Its view is not loaded.
  open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
    guard let make = scenes[identifier] else {
      preconditionFailure("The storyboard has no scene '\(identifier)'.")
    }
    let controller = make()
    controller.storyboard = self
    controller.storyboardIdentifier = identifier
    return controller
  }

  /// Makes the embedded children of a view controller whose view has just been loaded.
  func embed(in controller: UIViewController) {
    for connection in connections
    where connection.kind == .embed && connection.source == controller.storyboardIdentifier {
      perform(connection, from: controller, sender: nil)
    }
  }

  func perform(_ identifier: String, from source: UIViewController, sender: Any?) {
    let found = connections.first {
      $0.identifier == identifier && $0.source == source.storyboardIdentifier
    }
    guard let found else {
      preconditionFailure("The view controller has no segue '\(identifier)'.")
    }
    perform(found, from: source, sender: sender)
  }

  private func perform(_ connection: Connection, from source: UIViewController, sender: Any?) {
    let destination = instantiateViewController(withIdentifier: connection.destination)
    let segue = UIStoryboardSegue(
      identifier: connection.identifier, source: source, destination: destination
    ) { source, destination in
      switch connection.kind {
      case .embed:
        source.addChild(destination)
        source.view.addSubview(destination.view)
        destination.didMove(toParent: source)
      case .show where source.navigationController != nil:
        source.navigationController?.pushViewController(destination, animated: true)
      case .show, .present:
        source.present(destination, animated: true)
      }
    }
    source.prepare(for: segue, sender: sender)
    segue.perform()
  }
}

extension UIViewController {
  /// Makes the segue's destination, tells `prepare(for:sender:)`, and does what the segue does.
  public func performSegue(withIdentifier identifier: String, sender: Any?) {
    storyboard?.perform(identifier, from: self, sender: sender)
  }
}
