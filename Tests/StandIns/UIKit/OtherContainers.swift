/// Shows one of several view controllers, chosen by a tab.
open class UITabBarController: UIViewController {
  private var selected = 0

  /// The view controllers, one for each tab. They are loaded when they are first shown.
  open var viewControllers: [UIViewController]? {
    get { childControllers }
    set {
      for gone in childControllers {
        gone.willMove(toParent: nil)
        gone.removeFromParent()
      }
      for new in newValue ?? [] {
        addChild(new)
        new.didMove(toParent: self)
      }
      selected = 0
    }
  }

  /// The one that is shown.
  open var selectedViewController: UIViewController? {
    childControllers.indices.contains(selected) ? childControllers[selected] : nil
  }

  /// Which one is shown.
  open var selectedIndex: Int {
    get { selected }
    set {
      let old = selectedViewController
      selected = newValue
      if old !== selectedViewController {
        exchange(old, for: selectedViewController, leaves: false, enters: false)
      }
    }
  }

  open override var appearingChildren: [UIViewController] {
    selectedViewController.map { [$0] } ?? []
  }
}

/// Shows several view controllers side by side.
open class UISplitViewController: UIViewController {
  /// The view controllers, the primary one first.
  open var viewControllers: [UIViewController] {
    get { childControllers }
    set {
      for gone in childControllers where !newValue.contains(where: { $0 === gone }) {
        gone.willMove(toParent: nil)
        gone.removeFromParent()
      }
      for new in newValue where new.parent !== self {
        addChild(new)
        new.didMove(toParent: self)
      }
      childControllers = newValue
    }
  }

  open override var appearingChildren: [UIViewController] { childControllers }
}

/// Shows one of many view controllers, like the pages of a book.
open class UIPageViewController: UIViewController {
  /// Which way pages turn.
  public enum NavigationDirection: Sendable { case forward, reverse }

  /// The pages that are shown.
  open var viewControllers: [UIViewController]? { childControllers }

  open override var appearingChildren: [UIViewController] { childControllers }

  /// Turns to other pages.
  open func setViewControllers(
    _ controllers: [UIViewController]?, direction: NavigationDirection, animated: Bool,
    completion: ((Bool) -> Void)? = nil
  ) {
    exchange(childControllers.first, for: controllers?.first, leaves: true, enters: true)
    completion?(true)
  }
}
