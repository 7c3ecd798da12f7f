#if os(Linux)
  import JunctorChannels
  import JunctorHandover
  import JunctorUIKit
  import Testing
  import UIKit

  /// The first of two controllers: knows a name, shows the second, and is given a better name.
  @MainActor final class FirstController: UIViewController {
    var name = "Ada"

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
      guard let second = segue.destination as? SecondController else { return }
      second.request(name, for: self) { me, outcome in
        if let better = outcome.value { me.name = better }
      }
    }
  }

  /// The second: shows the name, and gives a better one back.
  @MainActor final class SecondController: UIViewController, ResultProvider {
    typealias Result = String
    let handoverSlot = HandoverSlot<String>()
    var label = ""

    override func viewDidLoad() {
      becomeReady()
    }

    func prepare(with name: String?) { label = name ?? "" }

    func done() {
      giveBack(label + " Lovelace")
      navigationController?.popViewController(animated: true)
    }
  }

  extension Channel where Message == String {
    /// Somebody wants the second controller closed, and says why.
    static func closeSecond(in exchange: Exchange) -> Channel {
      Channel("second.close", in: exchange)
    }
  }

  /// A second controller that closes when a channel says so, whoever posts.
  @MainActor final class ClosableController: UIViewController, ResultProvider {
    typealias Result = String
    let handoverSlot = HandoverSlot<Exchange>()
    var reason: String?

    override func viewDidLoad() { becomeReady() }

    func prepare(with exchange: Exchange?) {
      guard let exchange else { return }
      Channel.closeSecond(in: exchange).listen(for: self) { me, reason in
        me.reason = reason
        me.navigationController?.popViewController(animated: true)
      }
    }
  }

  @Suite struct `H11 the examples` {
    @Test @MainActor
    func `H11 a channel closes the second controller and its request is cancelled`() {
      final class Owner {
        var outcomes: [HandoverOutcome<String>] = []
      }
      let owner = Owner()
      let exchange = Exchange()
      let navigation = UINavigationController(rootViewController: UIViewController())
      let window = show(navigation)
      let second = ClosableController()
      second.request(exchange, for: owner) { $0.outcomes.append($1) }
      navigation.pushViewController(second, animated: true)
      #expect(navigation.topViewController === second)

      Channel.closeSecond(in: exchange).post("the session has ended")
      #expect(second.reason == "the session has ended")
      #expect(navigation.topViewController !== second)
      #expect(owner.outcomes == [.cancelled])
      extendLifetime(window)
    }

    @Test @MainActor func `H11 the first controller hands a name to the second and gets one back`()
      throws
    {
      let storyboard = UIStoryboard()
      storyboard.add("first") { FirstController() }
      storyboard.add("second") { SecondController() }
      storyboard.connect("first", "second", by: "show", .show)
      let root = storyboard.instantiateViewController(withIdentifier: "first")
      let first = try #require(root as? FirstController)
      let navigation = UINavigationController(rootViewController: first)
      let window = show(navigation)

      first.performSegue(withIdentifier: "show", sender: nil)
      weak let second = navigation.topViewController as? SecondController
      #expect(second?.label == "Ada")
      second?.done()
      #expect(first.name == "Ada Lovelace")
      #expect(second == nil)

      first.performSegue(withIdentifier: "show", sender: nil)
      navigation.simulateSwipeBack()
      #expect(first.name == "Ada Lovelace")
      extendLifetime(window)
    }
  }
#endif
