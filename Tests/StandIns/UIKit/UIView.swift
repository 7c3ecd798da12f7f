/// Handles events in the real UIKit; here, what all classes come from.
@MainActor
open class UIResponder {
  /// Makes one.
  public init() {}
}

/// A rectangle on the screen; here, a place in a tree.
open class UIView: UIResponder {
  /// The view that this one is in.
  public private(set) weak var superview: UIView?
  /// The views in this one, from back to front.
  public private(set) var subviews: [UIView] = []
  /// Whether it is not drawn.
  open var isHidden = false
  /// Whether touches reach it.
  open var isUserInteractionEnabled = true

  /// Puts a view into this one.
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    view.superview = self
    subviews.append(view)
  }

  /// Takes this view out of the one that it is in.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
}

/// Where the first view controller's view is put.
open class UIWindow: UIView {
  /// The view controller at the root of all.
  open var rootViewController: UIViewController?

  /// Shows it: the root's view is loaded and appears.
  open func makeKeyAndVisible() {
    guard let root = rootViewController else { return }
    addSubview(root.view)
    root.beginAppearanceTransition(true, animated: false)
    root.endAppearanceTransition()
  }
}
