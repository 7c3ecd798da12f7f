#if canImport(UIKit)
  internal import JunctorHandover
  internal import UIKit

  /// A child without a face that notices when the view controller that it is in is left.
  ///
  /// A child is told of appearing and disappearing along with its parent, by containment alone: nothing is swizzled, and
  /// nothing depends on what the parent's own methods call. Left means popped, dismissed or swiped away, itself or with a
  /// container around it; covered by another view controller, or on a tab that is not shown, it is not left.
  final class LeavingObserver: UIViewController {
    /// Has a view controller watched, once. Its view must be loaded.
    static func watch(_ controller: UIViewController) {
      guard !controller.children.contains(where: { $0 is LeavingObserver }) else { return }
      let observer = LeavingObserver()
      controller.addChild(observer)
      observer.view.isHidden = true
      observer.view.isUserInteractionEnabled = false
      controller.view.addSubview(observer.view)
      observer.didMove(toParent: controller)
    }

    // Not `viewWillDisappear`: a swipe that is let go of half-way tells that as well.
    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      guard let parent, Self.isBeingLeft(parent), let provider = parent as? any ResultProvider
      else { return }
      Self.cancelRequests(of: provider)
    }

    private static func cancelRequests<Provider: ResultProvider>(of provider: Provider) {
      provider.cancelRequests()
    }

    private static func isBeingLeft(_ controller: UIViewController) -> Bool {
      var next: UIViewController? = controller
      while let controller = next {
        if controller.isMovingFromParent || controller.isBeingDismissed { return true }
        next = controller.parent
      }
      return false
    }
  }
#endif
