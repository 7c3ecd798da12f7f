#if canImport(UIKit)
  public import JunctorHandover
  public import UIKit

  /// Every view controller may contain receivers: a navigation controller its stack, a tab bar or split view controller its
  /// parts, a page view controller the pages that are shown, any other its children.
  extension UIViewController: ReceiverContainer {
    /// What this view controller contains, in order. Asking loads no view.
    public var receiverChildren: [AnyObject] {
      let inside =
        switch self {
        case let container as UINavigationController: container.viewControllers
        case let container as UITabBarController: container.viewControllers ?? []
        case let container as UISplitViewController: container.viewControllers
        case let container as UIPageViewController: container.viewControllers ?? []
        default: children
        }
      return inside.filter { !($0 is LeavingObserver) }
    }

    /// The view controller that contains this one.
    public var receiverParent: AnyObject? { parent }
  }

  extension UIViewController {
    /// Hands a model to the one receiver in this view controller that takes it; see `Handover.deliver`.
    ///
    /// - Parameters:
    ///   - model: what is handed over.
    ///   - sender: who hands over, for the wiring; not retained.
    ///   - fileID: filled in by the compiler.
    ///   - line: filled in by the compiler.
    /// - Returns: the receiver.
    /// - Throws: `HandoverError` where no receiver takes it or more than one does. Then nothing was changed.
    /// - Complexity: O(view controllers inside).
    @discardableResult
    public func deliver<Model>(
      _ model: Model, from sender: AnyObject? = nil, fileID: StaticString = #fileID,
      line: UInt = #line
    ) throws(HandoverError) -> any DataReceiver {
      try Handover.deliver(model, to: self, from: sender, fileID: fileID, line: line)
    }
  }
#endif
