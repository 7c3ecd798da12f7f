extension UIViewController {
  /// What this one presents, or what one of its containers presents.
  public var presentedViewController: UIViewController? {
    presentedController ?? parentController?.presentedViewController
  }

  /// Who presents this one, or one of its containers.
  public var presentingViewController: UIViewController? {
    presentingController ?? parentController?.presentingViewController
  }

  /// What manages the presentation of this one, or of the container that it is in.
  public var presentationController: UIPresentationController? {
    parentController?.presentationController ?? madePresentationController
  }

  /// Shows a view controller over this one. (The real one does so after a while.)
  public func present(
    _ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil
  ) {
    let presenter = outermost
    guard presenter.presentedController == nil else { return }
    presenter.presentedController = controller
    controller.presentingController = presenter
    controller.isBeingPresented = true
    controller.beginAppearanceTransition(true, animated: animated)
    controller.endAppearanceTransition()
    controller.isBeingPresented = false
    completion?()
  }

  /// Takes away what this one presents or, if it presents nothing, this one. (The real one does so after a while.)
  public func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
    guard let presented = outermost.presentedController else {
      presentingViewController?.dismiss(animated: animated, completion: completion)
      return
    }
    presented.presentedController?.dismiss(animated: false)
    presented.isBeingDismissed = true
    presented.beginAppearanceTransition(false, animated: animated)
    finishDismissal(of: presented)
    completion?()
  }

  /// Ends a dismissal that has begun.
  func finishDismissal(of presented: UIViewController) {
    presented.endAppearanceTransition()
    presented.isBeingDismissed = false
    presented.presentingController?.presentedController = nil
    presented.presentingController = nil
  }

  private var outermost: UIViewController { parentController?.outermost ?? self }
}
