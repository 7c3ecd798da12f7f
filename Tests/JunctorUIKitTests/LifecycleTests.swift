#if os(Linux)
  import JunctorCore
  import JunctorHandover
  import JunctorUIKit
  import Testing
  import UIKit

  /// Writes down everything that it is told, and calls `super` nowhere.
  @MainActor final class ToldController: UIViewController, ResultProvider {
    typealias Result = String
    let handoverSlot = HandoverSlot<Int>()
    var log: [String] = []

    override func viewDidLoad() {
      log.append("viewDidLoad")
      becomeReady()
    }
    override func viewWillAppear(_ animated: Bool) { log.append("viewWillAppear") }
    override func viewDidAppear(_ animated: Bool) { log.append("viewDidAppear") }
    override func viewWillDisappear(_ animated: Bool) {
      log.append("viewWillDisappear \(isMovingFromParent || isBeingDismissed)")
    }
    override func viewDidDisappear(_ animated: Bool) {
      log.append("viewDidDisappear \(isMovingFromParent || isBeingDismissed)")
    }
    override func willMove(toParent parent: UIViewController?) {
      log.append(parent == nil ? "willLeave" : "willJoin")
    }
    override func didMove(toParent parent: UIViewController?) {
      log.append(parent == nil ? "didLeave" : "didJoin")
    }
    func prepare(with number: Int?) { log.append("prepare \(number ?? 0)") }
  }

  /// Asks, and is told.
  @MainActor private final class Asker {
    var outcomes: [HandoverOutcome<String>] = []
    func ask(_ controller: ToldController, _ number: Int) {
      controller.request(number, for: self) { me, outcome in me.outcomes.append(outcome) }
    }
  }

  @Suite struct `H11 the lifecycle of UIKit` {
    @Test @MainActor func `H11 a view is loaded once, when it is first asked for`() {
      let controller = ToldController()
      #expect(!controller.isViewLoaded && controller.viewIfLoaded == nil)
      _ = controller.view
      _ = controller.view
      controller.loadViewIfNeeded()
      #expect(controller.log == ["viewDidLoad"])
    }

    @Test @MainActor
    func `H8 a controller that calls super nowhere is prepared and ends its request`() {
      let asker = Asker()
      let navigation = UINavigationController(rootViewController: UIViewController())
      let window = show(navigation)
      let told = ToldController()
      asker.ask(told, 7)
      navigation.pushViewController(told, animated: true)
      #expect(
        told.log == [
          "willJoin", "viewDidLoad", "prepare 7", "viewWillAppear", "viewDidAppear", "didJoin",
        ])
      told.log = []
      navigation.popViewController(animated: true)
      #expect(
        told.log == ["willLeave", "viewWillDisappear true", "viewDidDisappear true", "didLeave"])
      #expect(asker.outcomes == [.cancelled])
      extendLifetime(window)
    }

    @Test @MainActor func `H11 being covered is disappearing and not leaving`() {
      let asker = Asker()
      let told = ToldController()
      asker.ask(told, 1)
      let navigation = UINavigationController(rootViewController: told)
      let window = show(navigation)
      told.log = []
      navigation.pushViewController(UIViewController(), animated: true)
      #expect(told.log == ["viewWillDisappear false", "viewDidDisappear false"])
      #expect(asker.outcomes.isEmpty)
      extendLifetime(window)
    }

    @Test(.timeLimit(.minutes(2))) @MainActor
    func `H11 one that is covered and taken away with others ends its request as it goes`() async {
      let asker = Asker()
      let navigation = UINavigationController(rootViewController: UIViewController())
      let window = show(navigation)
      weak var watched: ToldController?
      do {
        let told = ToldController()
        watched = told
        asker.ask(told, 1)
        navigation.pushViewController(told, animated: false)
      }
      navigation.pushViewController(UIViewController(), animated: false)
      #expect(asker.outcomes.isEmpty)
      navigation.setViewControllers([UIViewController()], animated: false)
      #expect(watched == nil)
      // It goes on the main actor, and is told there a moment later.
      while asker.outcomes.isEmpty { await Task.yield() }
      #expect(asker.outcomes == [.cancelled])
      extendLifetime(window)
    }

    @Test @MainActor func `H11 a dismissal by the program ends the request as a swipe does`() {
      let asker = Asker()
      let root = UIViewController()
      let window = show(root)
      let told = ToldController()
      asker.ask(told, 1)
      root.present(told, animated: true)
      #expect(told.log.contains("prepare 1") && asker.outcomes.isEmpty)
      told.log = []
      root.dismiss(animated: true)
      #expect(told.log == ["viewWillDisappear true", "viewDidDisappear true"])
      #expect(asker.outcomes == [.cancelled])
      extendLifetime(window)
    }

    @Test @MainActor
    func `H11 a request waits in a navigation controller for what is pushed later`()
      throws
    {
      let asker = Asker()
      let navigation = UINavigationController(rootViewController: UIViewController())
      let window = show(navigation)
      try Handover.leave(5, with: navigation, expecting: String.self, for: asker) { me, outcome in
        me.outcomes.append(outcome)
      }
      let told = ToldController()
      navigation.pushViewController(told, animated: true)
      #expect(told.log.contains("prepare 5"))
      told.giveBack("five")
      #expect(asker.outcomes == [.value("five")])
      extendLifetime(window)
    }
  }
#endif
