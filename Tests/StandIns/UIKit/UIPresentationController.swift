/// Asked and told when a swipe dismisses a view controller. A dismissal by the program tells it nothing.
@MainActor
public protocol UIAdaptivePresentationControllerDelegate: AnyObject {
  /// Whether a swipe may dismiss it.
  func presentationControllerShouldDismiss(_ controller: UIPresentationController) -> Bool
  /// Told that a swipe has begun to dismiss it.
  func presentationControllerWillDismiss(_ controller: UIPresentationController)
  /// Told that a swipe has dismissed it.
  func presentationControllerDidDismiss(_ controller: UIPresentationController)
  /// Told that a swipe was not allowed to dismiss it.
  func presentationControllerDidAttemptToDismiss(_ controller: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
  /// Yes.
  public func presentationControllerShouldDismiss(_ controller: UIPresentationController) -> Bool {
    true
  }
  /// Does nothing.
  public func presentationControllerWillDismiss(_ controller: UIPresentationController) {}
  /// Does nothing.
  public func presentationControllerDidDismiss(_ controller: UIPresentationController) {}
  /// Does nothing.
  public func presentationControllerDidAttemptToDismiss(_ controller: UIPresentationController) {}
}

/// Manages the presentation of one view controller.
open class UIPresentationController: UIResponder {
  /// What is presented.
  public private(set) unowned var presentedViewController: UIViewController
  /// Asked and told when a swipe dismisses it.
  open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?

  init(presentedViewController: UIViewController) {
    self.presentedViewController = presentedViewController
  }
}

// MARK: - What a finger does

extension UIPresentationController {
  /// Swipes the presented view controller away, as a finger would; or lets go of it half-way.
  ///
  /// - Returns: whether it was dismissed.
  @discardableResult
  public func simulateSwipeDown(letGoHalfway: Bool = false) -> Bool {
    let presented = presentedViewController
    guard !presented.isModalInPresentation,
      delegate?.presentationControllerShouldDismiss(self) ?? true
    else {
      delegate?.presentationControllerDidAttemptToDismiss(self)
      return false
    }
    delegate?.presentationControllerWillDismiss(self)
    presented.isBeingDismissed = true
    presented.beginAppearanceTransition(false, animated: true)
    if letGoHalfway {
      presented.isBeingDismissed = false
      presented.beginAppearanceTransition(true, animated: true)
      presented.endAppearanceTransition()
      return false
    }
    presented.finishDismissal(of: presented)
    delegate?.presentationControllerDidDismiss(self)
    return true
  }
}
