#if os(Linux)
  import JunctorCore
  import JunctorHandover
  import JunctorUIKit
  import Testing
  import UIKit

  struct Profile: Equatable { var name: String }

  /// Writes down what it is told, in order.
  @MainActor class LoggedController: UIViewController {
    var log: [String] = []
    override func viewDidLoad() { log.append("viewDidLoad") }
    override func viewDidDisappear(_ animated: Bool) { log.append("viewDidDisappear") }
  }

  /// Takes a profile, and gives an edited one back.
  @MainActor final class ProfileController: LoggedController, ResultProvider {
    typealias Result = Profile
    let handoverSlot = HandoverSlot<Profile>()
    var shown: [Profile?] { prepared }
    private var prepared: [Profile?] = []

    override func viewDidLoad() {
      super.viewDidLoad()
      becomeReady()
    }

    func prepare(with profile: Profile?) {
      prepared.append(profile)
      log.append("prepare \(profile?.name ?? "nil")")
      #expect(isViewLoaded)
    }
  }

  /// Takes a number; keeps nothing itself.
  @MainActor final class NumberController: LoggedController, DataReceiver {
    var numbers: [Int?] = []
    override func viewDidLoad() { becomeReady() }
    func prepare(with number: Int?) { numbers.append(number) }
  }

  /// Asks, and is told.
  @MainActor final class ListController: LoggedController {
    var outcomes: [HandoverOutcome<Profile>] = []
    var prepareSegue: ((UIStoryboardSegue) -> Void)?

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
      log.append("prepare for \(segue.identifier ?? "")")
      prepareSegue?(segue)
    }

    func ask(_ controller: ProfileController, _ name: String) {
      controller.request(Profile(name: name), for: self) { me, outcome in
        me.outcomes.append(outcome)
      }
    }
  }

  /// A window with a view controller in it.
  @MainActor func show(_ controller: UIViewController) -> UIWindow {
    let window = UIWindow()
    window.rootViewController = controller
    window.makeKeyAndVisible()
    return window
  }

  @Suite struct `H11 view controllers as receivers` {
    @Test @MainActor func `H11 handing over loads no view and prepares once it is loaded`() {
      let controller = ProfileController()
      controller.handOver(Profile(name: "Ada"))
      controller.handOver(Profile(name: "Grace"))
      #expect(!controller.isViewLoaded)
      #expect(controller.shown.isEmpty)
      #expect(controller.model == Profile(name: "Grace"))
      controller.loadViewIfNeeded()
      #expect(controller.log == ["viewDidLoad", "prepare Grace"])
      controller.handOver(nil)
      #expect(controller.shown == [Profile(name: "Grace"), nil])
    }

    @Test @MainActor func `H11 a segue hands over before the destination's view is loaded`() throws
    {
      let storyboard = UIStoryboard()
      storyboard.add("list") { ListController() }
      storyboard.add("profile") { ProfileController() }
      storyboard.connect("list", "profile", by: "open", .show)
      let root = storyboard.instantiateViewController(withIdentifier: "list")
      let list = try #require(root as? ListController)
      let navigation = UINavigationController(rootViewController: list)
      let window = show(navigation)
      list.prepareSegue = { segue in
        #expect(!segue.destination.isViewLoaded)
        #expect(throws: Never.self) { try segue.deliver(Profile(name: "Ada")) }
        #expect(!segue.destination.isViewLoaded)
      }
      list.performSegue(withIdentifier: "open", sender: nil)
      let profile = try #require(navigation.topViewController as? ProfileController)
      #expect(profile.log == ["viewDidLoad", "prepare Ada"])
      #expect(list.log.contains("prepare for open"))
      extendLifetime(window)
    }

    @Test @MainActor func `H11 a segue finds the receiver inside a navigation controller`() throws {
      let storyboard = UIStoryboard()
      storyboard.add("list") { ListController() }
      storyboard.add("navigation") {
        UINavigationController(rootViewController: ProfileController())
      }
      storyboard.connect("list", "navigation", by: "open", .present)
      let root = storyboard.instantiateViewController(withIdentifier: "list")
      let list = try #require(root as? ListController)
      let window = show(list)
      list.prepareSegue = { segue in
        #expect(throws: Never.self) { try segue.deliver(Profile(name: "Ada")) }
      }
      list.performSegue(withIdentifier: "open", sender: nil)
      let navigation = try #require(list.presentedViewController as? UINavigationController)
      #expect((navigation.topViewController as? ProfileController)?.shown == [Profile(name: "Ada")])
      extendLifetime(window)
    }

    @Test @MainActor func `H11 an embedded child is handed its model before its view is loaded`()
      throws
    {
      let storyboard = UIStoryboard()
      storyboard.add("list") { ListController() }
      storyboard.add("profile") { ProfileController() }
      storyboard.connect("list", "profile", by: "embed", .embed)
      let root = storyboard.instantiateViewController(withIdentifier: "list")
      let list = try #require(root as? ListController)
      list.prepareSegue = { segue in
        #expect(throws: Never.self) { try segue.deliver(Profile(name: "Ada")) }
      }
      list.loadViewIfNeeded()
      #expect(list.log == ["prepare for embed", "viewDidLoad"])
      #expect((list.children.first as? ProfileController)?.shown == [Profile(name: "Ada")])
    }

    @Test @MainActor func `H11 a scene of a storyboard is made with its model`() throws {
      let storyboard = UIStoryboard()
      storyboard.add("profile") { ProfileController() }
      let controller = try storyboard.instantiateViewController(
        withIdentifier: "profile", delivering: Profile(name: "Ada"))
      #expect(!controller.isViewLoaded)
      controller.loadViewIfNeeded()
      #expect((controller as? ProfileController)?.shown == [Profile(name: "Ada")])
      #expect(throws: HandoverError.self) {
        try storyboard.instantiateViewController(withIdentifier: "profile", delivering: 5)
      }
    }
  }

  @Suite struct `H11 containers of UIKit` {
    @Test @MainActor func `H11 tab, split, page and navigation controllers are searched`() throws {
      let number = NumberController()
      let page = UIPageViewController()
      page.setViewControllers([number], direction: .forward, animated: false)
      let split = UISplitViewController()
      split.viewControllers = [
        UIViewController(), UINavigationController(rootViewController: page),
      ]
      let tabs = UITabBarController()
      tabs.viewControllers = [
        UINavigationController(rootViewController: ProfileController()), split,
      ]
      #expect(try tabs.deliver(4) === number)
      #expect(!number.isViewLoaded)
      number.loadViewIfNeeded()
      #expect(number.numbers == [4])
      #expect(try tabs.deliver(Profile(name: "Ada")) is ProfileController)
    }

    @Test @MainActor func `H11 two receivers on two tabs are an error rather than both`() {
      let tabs = UITabBarController()
      tabs.viewControllers = [NumberController(), NumberController()]
      do throws(HandoverError) {
        try tabs.deliver(4)
        Issue.record("nothing was thrown")
      } catch {
        #expect(error.code == .ambiguous)
        #expect(error.receivers.count == 2)
      }
    }

    @Test @MainActor func `H11 a model waits in a navigation controller for what is pushed later`()
      throws
    {
      let navigation = UINavigationController(rootViewController: UIViewController())
      let tabs = UITabBarController()
      tabs.viewControllers = [navigation]
      let window = show(tabs)
      #expect(try Handover.leave(7, with: tabs) == nil)
      let number = NumberController()
      navigation.pushViewController(number, animated: false)
      #expect(number.numbers == [7])
      #expect(tabs.waitingHandovers == 0)
      extendLifetime(window)
    }
  }

  @Suite struct `H11 leaving is cancelling` {
    @MainActor private func stack() -> (
      UIWindow, UINavigationController, ListController, ProfileController
    ) {
      let list = ListController()
      let navigation = UINavigationController(rootViewController: list)
      let window = show(navigation)
      let profile = ProfileController()
      list.ask(profile, "Ada")
      navigation.pushViewController(profile, animated: true)
      return (window, navigation, list, profile)
    }

    @Test @MainActor func `H11 popping ends the request though somebody keeps the controller`() {
      let (window, navigation, list, profile) = stack()
      #expect(list.outcomes.isEmpty)
      navigation.popViewController(animated: true)
      #expect(list.outcomes == [.cancelled])
      #expect(profile.openRequests.isEmpty)
      extendLifetime(window)
    }

    @Test @MainActor func `H11 a result before leaving counts and leaving adds nothing`() {
      let (window, navigation, list, profile) = stack()
      profile.giveBack(Profile(name: "Grace"))
      navigation.popViewController(animated: true)
      #expect(list.outcomes == [.value(Profile(name: "Grace"))])
      extendLifetime(window)
    }

    @Test @MainActor func `H11 a swipe back that is let go of half-way is no leaving`() {
      let (window, navigation, list, _) = stack()
      navigation.simulateSwipeBack(letGoHalfway: true)
      #expect(list.outcomes.isEmpty)
      navigation.simulateSwipeBack()
      #expect(list.outcomes == [.cancelled])
      extendLifetime(window)
    }

    @Test @MainActor func `H11 being covered or on another tab is no leaving`() {
      let list = ListController()
      let profile = ProfileController()
      list.ask(profile, "Ada")
      let navigation = UINavigationController(rootViewController: profile)
      let tabs = UITabBarController()
      tabs.viewControllers = [navigation, list]
      let window = show(tabs)
      #expect(profile.shown.count == 1)
      navigation.pushViewController(UIViewController(), animated: true)
      tabs.selectedIndex = 1
      tabs.selectedIndex = 0
      navigation.popViewController(animated: true)
      #expect(list.outcomes.isEmpty)
      #expect(profile.log.filter { $0 == "viewDidDisappear" }.count >= 1)
      extendLifetime(window)
    }

    @Test @MainActor func `H11 swiping a sheet away ends the request, also inside a container`()
      throws
    {
      let list = ListController()
      let window = show(list)
      let profile = ProfileController()
      list.ask(profile, "Ada")
      let navigation = UINavigationController(rootViewController: profile)
      list.present(navigation, animated: true)
      let sheet = try #require(profile.presentationController)
      sheet.simulateSwipeDown(letGoHalfway: true)
      #expect(list.outcomes.isEmpty)
      navigation.isModalInPresentation = true
      #expect(!sheet.simulateSwipeDown())
      #expect(list.outcomes.isEmpty)
      navigation.isModalInPresentation = false
      #expect(sheet.simulateSwipeDown())
      #expect(list.outcomes == [.cancelled])
      extendLifetime(window)
    }

    @Test(.timeLimit(.minutes(2))) @MainActor
    func `H11 presenting returns what was given back or that it was swiped away`()
      async
    {
      let list = ListController()
      let window = show(list)
      let first = ProfileController()
      let edited = Task { @MainActor in await list.present(first, handing: Profile(name: "Ada")) }
      while first.openRequests.isEmpty { await Task.yield() }
      first.giveBack(Profile(name: "Grace"))
      list.dismiss(animated: true)
      #expect(await edited.value == .value(Profile(name: "Grace")))

      let second = ProfileController()
      let nothing = Task { @MainActor in await list.present(second, handing: Profile(name: "Ada")) }
      while second.openRequests.isEmpty { await Task.yield() }
      second.presentationController?.simulateSwipeDown()
      #expect(await nothing.value == .cancelled)
      extendLifetime(window)
    }

    @Test(.timeLimit(.minutes(2))) @MainActor func `H11 pushing returns what was given back`() async
    {
      let list = ListController()
      let navigation = UINavigationController(rootViewController: list)
      let window = show(navigation)
      let profile = ProfileController()
      let edited = Task { @MainActor in
        await navigation.push(profile, handing: Profile(name: "Ada"))
      }
      while profile.openRequests.isEmpty { await Task.yield() }
      profile.giveBack(Profile(name: "Grace"))
      #expect(await edited.value == .value(Profile(name: "Grace")))
      extendLifetime(window)
    }

    @Test @MainActor func `H11 a controller that was never shown ends its request when it goes`()
      async
    {
      let list = ListController()
      let (done, signal) = AsyncStream<Void>.makeStream()
      var profile: ProfileController? = ProfileController()
      weak let watched = profile
      profile?.request(Profile(name: "Ada"), for: list) { me, outcome in
        me.outcomes.append(outcome)
        signal.yield()
      }
      let reports = Reports()
      Junctor.withDiagnostics(reports.add) { profile = nil }
      #expect(watched == nil)
      for await _ in done { break }
      #expect(list.outcomes == [.cancelled])
      #expect(reports.codes == [.handoverNeverArrived])
    }

    @Test @MainActor func `H11 the observer makes no cycle and is no receiver`() {
      var profile: ProfileController? = ProfileController()
      weak let watched = profile
      profile?.loadViewIfNeeded()
      profile?.becomeReady()
      #expect(profile?.children.count == 1)
      #expect(profile?.receiverChildren.isEmpty == true)
      profile = nil
      #expect(watched == nil)
    }
  }
#endif
