#if canImport(UIKit)
  import Junctor
  import JunctorMacros
  import JunctorUIKit
  import Testing
  import UIKit

  // What the articles about view controllers show.
  private enum Controllers {
    struct Profile: Sendable, Equatable { var name = "Ada" }
    @MainActor final class Label {
      static let only = Label()
      var text: String?
    }

    @DataReceiver
    final class ProfileController: UIViewController, ResultProvider {
      typealias Result = Profile

      override func viewDidLoad() {
        super.viewDidLoad()
        becomeReady()
      }

      func prepare(with profile: Profile?) { nameLabel.text = profile?.name }
    }

  }

  private typealias Profile = Controllers.Profile
  private typealias Label = Controllers.Label
  private typealias ProfileController = Controllers.ProfileController

  extension Controllers.ProfileController {
    fileprivate var nameLabel: Controllers.Label { .only }
    func done() { giveBack(Controllers.Profile(name: "Ada Lovelace")) }
  }

  private final class ListController: UIViewController {
    let profile = Profile()

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
      do {
        try segue.deliver(profile)
      } catch {
        assertionFailure("\(error)")
      }
    }

    func leave(with navigationController: UINavigationController) throws {
      try Handover.leave(profile, with: navigationController)
    }

    func edit(_ editor: ProfileController, _ list: ProfileController, _ query: Profile) async {
      let navigation = UINavigationController(rootViewController: self)
      let outcome = await present(editor, handing: profile)
      let choice = await navigation.push(list, handing: query)
      _ = (outcome, choice)
    }
  }

  private final class OldListController: UIViewController {
    let profile = Profile()
    var name: String?

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
      if let navigation = segue.destination as? UINavigationController,
        let controller = navigation.topViewController as? OldProfileController
      {
        controller.profile = profile  // before the view is loaded, or after it: who knows
        controller.onDone = { [weak self] profile in self?.name = profile.name }
      }
    }
  }

  private final class OldProfileController: UIViewController {
    var profile: Profile?
    var onDone: ((Profile) -> Void)?
  }

  private final class NewListController: UIViewController {
    let profile = Profile()
    var name: String?

    func edit(_ controller: ProfileController) {
      present(controller, handing: profile, for: self) { me, outcome in
        me.name = outcome.value?.name
      }
    }
  }

  @Suite struct `Texts about view controllers` {
    @Test @MainActor func `a segue delivers, and the view's loading prepares`() {
      Label.only.text = nil
      let (list, screen) = (ListController(), ProfileController())
      let segue = UIStoryboardSegue(
        identifier: "profile", source: list, destination: screen, performHandler: { _, _ in })
      list.prepare(for: segue, sender: nil)
      #expect(screen.nameLabel.text == nil && screen.model == Profile())
      screen.loadViewIfNeeded()
      #expect(screen.nameLabel.text == "Ada")
    }

    @Test @MainActor func `a result comes back to whoever presented`() {
      let (list, screen) = (NewListController(), ProfileController())
      list.edit(screen)
      screen.loadViewIfNeeded()
      screen.done()
      #expect(list.name == "Ada Lovelace")
      _ = (OldListController(), OldProfileController())
    }
  }
#endif
