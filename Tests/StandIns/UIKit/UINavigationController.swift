/// Shows the last of a stack of view controllers.
open class UINavigationController: UIViewController {
  /// Makes one with its first view controller.
  public convenience init(rootViewController: UIViewController) {
    self.init()
    pushViewController(rootViewController, animated: false)
  }

  /// The stack, the shown one last.
  open var viewControllers: [UIViewController] {
    get { childControllers }
    set { setViewControllers(newValue, animated: false) }
  }

  /// The one that is shown.
  open var topViewController: UIViewController? { childControllers.last }

  open override var appearingChildren: [UIViewController] { topViewController.map { [$0] } ?? [] }

  open override func loadView() {
    super.loadView()
    if let top = topViewController { loadedView?.addSubview(top.view) }
  }

  /// Puts one on top and shows it.
  open func pushViewController(_ controller: UIViewController, animated: Bool) {
    exchange(topViewController, for: controller, leaves: false, enters: true)
  }

  /// Takes the top one away and shows the one below.
  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? {
    guard childControllers.count > 1, let top = topViewController else { return nil }
    exchange(
      top, for: childControllers[childControllers.count - 2], leaves: true, enters: false)
    return top
  }

  /// Takes all but the first away.
  @discardableResult
  open func popToRootViewController(animated: Bool) -> [UIViewController]? {
    var popped: [UIViewController] = []
    while let top = popViewController(animated: animated) { popped.insert(top, at: 0) }
    return popped
  }

  /// Replaces the stack. Those that leave it without having been shown are told `didMove(toParent:)` only.
  open func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
    let oldTop = topViewController
    for gone in childControllers
    where gone !== oldTop && !controllers.contains(where: { $0 === gone }) {
      gone.willMove(toParent: nil)
      gone.removeFromParent()
    }
    for new in controllers.dropLast() where new.parent !== self {
      addChild(new)
      new.didMove(toParent: self)
    }
    let newTop = controllers.last
    if newTop !== oldTop {
      exchange(
        oldTop, for: newTop, leaves: !controllers.contains { $0 === oldTop },
        enters: newTop?.parent !== self)
    }
    childControllers = controllers
  }

  /// Begins to swipe the top one away, as a finger would, and finishes or lets go half-way.
  public func simulateSwipeBack(letGoHalfway: Bool = false) {
    guard letGoHalfway, let top = topViewController else {
      popViewController(animated: true)
      return
    }
    top.isMovingFromParent = true
    top.beginAppearanceTransition(false, animated: true)
    top.isMovingFromParent = false
    top.beginAppearanceTransition(true, animated: true)
    top.endAppearanceTransition()
  }
}
