/// Manages one view, which it loads when the view is first asked for.
open class UIViewController: UIResponder {
  // MARK: Storage of the parts below

  var loadedView: UIView?
  var isLoadingView = false
  var appearance = Appearance.disappeared
  var childControllers: [UIViewController] = []
  weak var parentController: UIViewController?
  var presentedController: UIViewController?
  weak var presentingController: UIViewController?
  lazy var madePresentationController = UIPresentationController(presentedViewController: self)
  var storyboardIdentifier: String?

  /// The storyboard that it came from.
  public internal(set) var storyboard: UIStoryboard?
  /// Whether it is being added to a container.
  public internal(set) var isMovingToParent = false
  /// Whether it is being taken out of its container.
  public internal(set) var isMovingFromParent = false
  /// Whether it is being presented.
  public internal(set) var isBeingPresented = false
  /// Whether it is being dismissed.
  public internal(set) var isBeingDismissed = false
  /// Whether a swipe must not dismiss it.
  open var isModalInPresentation = false

  /// Makes one whose view is not loaded.
  public override init() { super.init() }

  // MARK: The view

  /// The view; loaded when it is first asked for.
  open var view: UIView {
    get {
      loadViewIfNeeded()
      return loadedView ?? UIView()
    }
    set { loadedView = newValue }
  }

  /// The view, if it is loaded.
  public var viewIfLoaded: UIView? { loadedView }

  /// Whether the view is loaded.
  public var isViewLoaded: Bool { loadedView != nil }

  /// Loads the view, once; embeds what the storyboard says, and then tells `viewDidLoad()`, once.
  open func loadViewIfNeeded() {
    guard loadedView == nil, !isLoadingView else { return }
    isLoadingView = true
    loadView()
    isLoadingView = false
    storyboard?.embed(in: self)
    viewDidLoad()
  }

  /// Makes the view.
  open func loadView() { loadedView = UIView() }

  /// Told once, after the view was loaded.
  open func viewDidLoad() {}
  /// Told before the view is shown.
  open func viewWillAppear(_ animated: Bool) {}
  /// Told after the view was shown.
  open func viewDidAppear(_ animated: Bool) {}
  /// Told before the view is taken away.
  open func viewWillDisappear(_ animated: Bool) {}
  /// Told after the view was taken away.
  open func viewDidDisappear(_ animated: Bool) {}

  // MARK: Containment, to be overridden

  /// Told before the container changes.
  open func willMove(toParent parent: UIViewController?) {}
  /// Told after the container changed.
  open func didMove(toParent parent: UIViewController?) {}

  /// The children that appear and disappear with this one.
  open var appearingChildren: [UIViewController] {
    childControllers.filter { $0.isViewLoaded && $0.view.superview === loadedView }
  }

  // MARK: Segues, to be overridden

  /// Told before a segue, and before the destination's view is loaded.
  open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
}
