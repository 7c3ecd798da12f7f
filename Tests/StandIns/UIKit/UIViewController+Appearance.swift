extension UIViewController {
  enum Appearance { case disappeared, appearing, appeared, disappearing }

  /// Tells this one and its visible children that they will appear or disappear.
  public func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
    if isAppearing {
      loadViewIfNeeded()
      appearance = .appearing
      viewWillAppear(animated)
    } else {
      appearance = .disappearing
      viewWillDisappear(animated)
    }
    for child in appearingChildren {
      child.beginAppearanceTransition(isAppearing, animated: animated)
    }
  }

  /// Tells this one and its visible children that they have appeared or disappeared.
  public func endAppearanceTransition() {
    switch appearance {
    case .appearing:
      appearance = .appeared
      viewDidAppear(false)
    case .disappearing:
      appearance = .disappeared
      viewDidDisappear(false)
    case .appeared, .disappeared:
      break
    }
    for child in appearingChildren { child.endAppearanceTransition() }
  }

  /// Whether it is on the screen.
  var isVisible: Bool { appearance == .appeared || appearance == .appearing }
}
