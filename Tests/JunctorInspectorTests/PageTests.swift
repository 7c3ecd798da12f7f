#if Inspector
  import Foundation
  import JunctorWiring
  import Synchronization
  import Testing

  @testable import JunctorCore
  @testable import JunctorInspector

  /// What a real browser shows. Set `JUNCTOR_SCREENSHOTS` to a folder to look at the pages.
  extension InspectorSuite {
    @Suite(.enabled(if: Browser.program != nil, "needs Chromium"))
    struct PageTests {
      @Test func `W4 the page shows what the process did, as it happens`() throws {
        let (inspector, browser, scene) = try opened()
        #expect(
          try browser.waits(for: "document.getElementById('connection').textContent === 'live'"))
        #expect(try browser.waits(for: "nodes.length === 4 && edges.length === 3"))
        #expect(
          try browser.value("document.getElementById('summary').textContent") as? String
            == "4 nodes, 3 edges, 0 warnings")
        #expect(
          try browser.waits(
            for: "document.querySelectorAll('#drawing svg g[data-node]').length === 4"))
        #expect(
          try browser.value("document.querySelectorAll('#drawing path[marker-end]').length") as? Int
            == 3)

        scene.record(.post, "articleRead", site: SourceSite(), count: 2)
        #expect(
          try browser.waits(
            for: "document.querySelector('#history li.post b').textContent === 'post'"))
        let line = try browser.value("document.querySelector('#history li').textContent") as? String
        #expect(line?.contains("articleRead") == true)
        #expect(line?.contains("→ 2") == true)
        #expect(line?.contains("PageTests.swift") == true)
        #expect(
          try browser.waits(for: "document.getElementById('rate').textContent.startsWith('0.2')"))
        try picture(browser, "live")
        withExtendedLifetime(inspector) {}
      }

      @Test func `W4 a provider that fails turns red`() throws {
        let (inspector, browser, scene) = try opened()
        #expect(try browser.waits(for: "nodes.length === 4"))
        #expect(
          try browser.value("document.querySelectorAll('.alarm[data-node]').length") as? Int == 0)
        scene.set { wiring in wiring.nodes[3].state = .failed("no network") }
        #expect(
          try browser.waits(
            for:
              "document.querySelector('#nodes li.alarm') && document.querySelector('#drawing g.alarm')"
          ))
        #expect(
          try browser.value("document.querySelector('#nodes li.alarm').textContent") as? String
            == "Store service · failed ! failed: no network")
        #expect(
          try browser.value(
            "getComputedStyle(document.querySelector('#drawing g.alarm rect')).stroke") as? String
            == "rgb(192, 21, 40)")
        scene.set { wiring in wiring.nodes[3].state = .alive }
        #expect(
          try browser.waits(for: "document.querySelectorAll('.alarm[data-node]').length === 0"))
        withExtendedLifetime(inspector) {}
      }

      @Test func `W4 search and filters narrow the list, and keys do it all`() throws {
        let (inspector, browser, _) = try opened()
        #expect(try browser.waits(for: "nodes.length === 4"))
        try browser.press("/", text: "/")
        for letter in "STORE" { try browser.press(String(letter), text: String(letter)) }
        #expect(try browser.value("document.getElementById('search').value") as? String == "STORE")
        #expect(try browser.waits(for: "document.querySelectorAll('#nodes li').length === 1"))
        try browser.press("ArrowDown")
        #expect(
          try browser.waits(
            for: "document.querySelector('#nodes li').getAttribute('aria-selected') === 'true'"))
        #expect(
          try browser.value("document.querySelector('#details dd').textContent") as? String
            == "Store"
        )
        try browser.press("Escape")
        #expect(
          try browser.waits(
            for: "document.querySelectorAll('#nodes li').length === 4 && chosen === null"))
        for _ in 0..<3 { try browser.press("ArrowDown") }
        try browser.press("ArrowUp")
        #expect(
          try browser.waits(
            for:
              "document.querySelectorAll('#nodes li')[1].getAttribute('aria-selected') === 'true'")
        )
        _ = try browser.value("document.getElementById('filter-Services').click()")
        #expect(try browser.waits(for: "document.querySelectorAll('#nodes li').length === 2"))
        _ = try browser.value("document.getElementById('problems').click()")
        #expect(
          try browser.waits(
            for: "document.getElementById('more').textContent === 'Nothing matches.'")
        )
        withExtendedLifetime(inspector) {}
      }

      @Test func `W4 what is chosen stays chosen when nodes come before it and are renumbered`()
        throws
      {
        let (inspector, browser, scene) = try opened()
        #expect(try browser.waits(for: "nodes.length === 4"))
        _ = try browser.value("choose(4)")
        let chosen = "document.querySelector('#nodes li[aria-selected=true] b').textContent"
        #expect(try browser.value(chosen) as? String == "Store")
        scene.set { wiring in
          wiring.nodes.insert(.init(id: .init(1), kind: .channel, label: "early"), at: 0)
          for place in 1..<wiring.nodes.count { wiring.nodes[place].id = .init(place + 1) }
          wiring.edges = []
        }
        #expect(try browser.waits(for: "nodes.length === 5"))
        #expect(try browser.value(chosen) as? String == "Store")
        scene.set { $0.nodes.removeLast() }
        #expect(try browser.waits(for: "nodes.length === 4 && chosen === null"))
        withExtendedLifetime(inspector) {}
      }

      @Test func `W4 counters are shown with how much is added each second`() throws {
        let (inspector, browser, scene) = try opened()
        #expect(try browser.waits(for: "nodes.length === 4"))
        _ = try browser.value("choose(2)")
        #expect(
          try browser.waits(
            for: "document.getElementById('details').textContent.includes('posted3')"))
        scene.set { $0.nodes[1].counters["posted"] = 500 }
        #expect(
          try browser.waits(
            for:
              "/posted500 [(][+][0-9.]+[/]s[)]/.test(document.getElementById('details').textContent)"
          ))
        #expect(
          try browser.waits(
            for: "document.querySelectorAll('#nodes li')[1].textContent.includes('posted (+')"))
        withExtendedLifetime(inspector) {}
      }

      @Test func `W4 it is light or dark as the reader has it`() throws {
        let (inspector, browser, _) = try opened()
        #expect(try browser.waits(for: "nodes.length === 4"))
        try browser.setDark(false)
        #expect(
          try browser.value("getComputedStyle(document.body).backgroundColor") as? String
            == "rgb(255, 255, 255)")
        try picture(browser, "light")
        try browser.setDark(true)
        #expect(
          try browser.value("getComputedStyle(document.body).backgroundColor") as? String
            == "rgb(17, 22, 29)")
        try picture(browser, "dark")
        withExtendedLifetime(inspector) {}
      }

      @Test func `W4 names and labels run no script and make no markup`() throws {
        let (inspector, browser, scene) = try opened()
        let evil =
          "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>\u{202E}\u{0}"
        scene.set { wiring in
          for index in wiring.nodes.indices { wiring.nodes[index].label = evil }
          wiring.nodes[0].type = evil
          wiring.nodes[3].state = .failed(evil)
        }
        scene.record(.call, evil)
        #expect(
          try browser.waits(
            for: "document.querySelector('#nodes li b').textContent.startsWith('</script>')"))
        #expect(
          try browser.waits(
            for: "document.querySelector('#history li').textContent.includes('onerror')"))
        try browser.press("ArrowDown")
        #expect(
          try browser.value("document.querySelectorAll('img, main script').length") as? Int == 0)
        #expect(try browser.value("window.hacked === undefined") as? Bool == true)
        #expect(
          try browser.value("document.body.textContent.includes('\\u202e')") as? Bool == false)
        withExtendedLifetime(inspector) {}
      }

      @Test func `W4 5 000 nodes stay usable: a list and the neighbourhood of what is chosen`()
        throws
      {
        let (inspector, browser, scene) = try opened()
        scene.set { wiring in
          let first = wiring.nodes.count + 1
          for number in first...5_000 {
            let kind: Wiring.NodeKind = number.isMultiple(of: 2) ? .channel : .object
            wiring.nodes.append(
              Wiring.Node(id: Wiring.NodeID(number), kind: kind, label: "Thing\(number)"))
            if number > first {
              wiring.edges.append(
                Wiring.Edge(
                  from: Wiring.NodeID(number), to: Wiring.NodeID(number - 1), kind: .listens))
            }
          }
        }
        #expect(try browser.waits(for: "nodes.length === 5000"))
        #expect(try browser.value("document.querySelectorAll('#nodes li').length") as? Int == 400)
        #expect(
          try browser.value("document.querySelectorAll('#drawing g[data-node]').length") as? Int
            == 0)
        let took = try browser.value(
          "(() => { const began = performance.now(); document.getElementById('search').value = 'Thing4321'; show(); choose(matching[0].id); return performance.now() - began; })()"
        )
        #expect((took as? Double ?? .infinity) < 1_000)
        #expect(try browser.value("document.querySelectorAll('#nodes li').length") as? Int == 1)
        #expect(
          try browser.value("document.querySelectorAll('#drawing g[data-node]').length") as? Int
            == 3)
        try picture(browser, "five-thousand")
        withExtendedLifetime(inspector) {}
      }

      private func opened() throws -> (Inspector, Browser, Scene) {
        let scene = Scene()
        let inspector = try Inspector.start(feed: scene.feed)
        let browser = try Browser(program: try #require(Browser.program))
        try browser.open(inspector.url)
        let isLive = "document.getElementById('connection').textContent === 'live'"
        try #require(try browser.waits(for: isLive))
        return (inspector, browser, scene)
      }

      private func picture(_ browser: Browser, _ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["JUNCTOR_SCREENSHOTS"] else {
          return
        }
        try browser.screenshot().write(to: URL(fileURLWithPath: "\(folder)/\(name).png"))
      }
    }
  }
#endif
