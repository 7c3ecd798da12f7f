extension UIViewController {
  /// What this one contains, in order.
  public var children: [UIViewController] { childControllers }

  /// The container that this one is in.
  public var parent: UIViewController? { parentController }

  /// Puts a view controller into this one. The caller tells `didMove(toParent:)` afterwards.
  public func addChild(_ child: UIViewController) {
    if child.parentController != nil { child.removeFromParent() }
    child.willMove(toParent: self)
    child.parentController = self
    childControllers.append(child)
  }

  /// Takes this one out of its container. The caller tells `willMove(toParent:)` before.
  public func removeFromParent() {
    parentController?.childControllers.removeAll { $0 === self }
    parentController = nil
    didMove(toParent: nil)
  }

  /// The navigation controller that this one is in, however deep.
  public var navigationController: UINavigationController? { nearestContainer() }
  /// The tab bar controller that this one is in, however deep.
  public var tabBarController: UITabBarController? { nearestContainer() }
  /// The split view controller that this one is in, however deep.
  public var splitViewController: UISplitViewController? { nearestContainer() }

  private func nearestContainer<Container>() -> Container? {
    var next = parentController
    while let controller = next {
      if let found = controller as? Container { return found }
      next = controller.parentController
    }
    return nil
  }

  /// Replaces a container's child by another, with everything that both are told.
  func exchange(_ old: UIViewController?, for new: UIViewController?, leaves: Bool, enters: Bool) {
    let isVisible = isVisible
    if leaves, let old {
      old.willMove(toParent: nil)
      old.isMovingFromParent = true
    }
    if enters, let new {
      if new.parentController !== self { addChild(new) }
      new.isMovingToParent = true
    }
    if isVisible {
      if let new { view.addSubview(new.view) }
      old?.beginAppearanceTransition(false, animated: false)
      new?.beginAppearanceTransition(true, animated: false)
      old?.endAppearanceTransition()
      new?.endAppearanceTransition()
      old?.viewIfLoaded?.removeFromSuperview()
    }
    if leaves, let old {
      old.removeFromParent()
      old.isMovingFromParent = false
    }
    if enters, let new {
      new.didMove(toParent: self)
      new.isMovingToParent = false
    }
  }
}
