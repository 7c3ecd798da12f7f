#if canImport(UIKit)
  public import JunctorHandover
  public import UIKit

  extension DataReceiver where Self: UIViewController {
    /// Whether the view is loaded.
    ///
    /// Asking does not load it. What is handed over before waits until `viewDidLoad()` calls `becomeReady()`.
    ///
    /// - Complexity: O(1).
    @MainActor
    public var isReady: Bool { isViewLoaded }

    /// Prepares this view controller with what waits for it, here and with the containers around.
    ///
    /// Call it in `viewDidLoad()`, where everything that `prepare(with:)` uses is there; it does not matter whether
    /// `super` was called before. A view controller that gives results back is watched from then on: leaving it ends its
    /// open requests as cancelled.
    ///
    /// - Complexity: O(handovers that wait + view controllers around).
    @MainActor
    public func becomeReady() {
      if let provider = self as? any ResultProvider & UIViewController {
        LeavingObserver.watch(provider)
      }
      deliverWaiting(to: self)
      receiversArrived()
    }
  }

  // The general `becomeReady()`, which the one above has the name of.
  @MainActor
  private func deliverWaiting<Receiver: DataReceiver>(to receiver: Receiver) {
    receiver.becomeReady()
  }
#endif
