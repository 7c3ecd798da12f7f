import Testing

@testable import JunctorWiring

struct TextTests {
  @Test func `W2 the text tree names every node and edge once, with state, place and site`() {
    #expect(
      Sample.small.text() == """
        Wiring: 5 nodes, 3 edges, nothing to warn of

        Channels
        └─ exchange 'app' · Kit/File.swift:1
           └─ channel 'articleRead' · NewsreaderKit.Article · delivered 24 · posted 12 · Kit/File.swift:2
              ├─ posts ← object 'ReadingScreen' · posted 12
              ├─ listens → object 'ListScreen' · priority 5 · on MainActor
              └─ listens → object 'Badge' · paused

        Objects
        ├─ object 'ReadingScreen' · Kit/File.swift:3
        ├─ object 'ListScreen' · Kit/File.swift:4
        └─ object 'Badge' · Kit/File.swift:5

        """)
  }

  @Test func `W2 the text tree marks dead ends, collisions and failures where they are`() {
    let text = Sample.everything.text()
    #expect(text.contains("Wiring: 14 nodes, 10 edges, 6 warnings\n"))
    #expect(text.contains("channel 'progress' n3 · Swift.Int"))
    #expect(text.contains("│  ├─ ! 2 channels share this name\n"))
    #expect(text.contains("! nobody listens\n"))
    #expect(text.contains("! has no target\n"))
    #expect(text.contains("! failed: no network at start\n"))
    #expect(text.contains("! gone, not yet cleared away\n"))
    #expect(text.contains("build 1.2 ms"))
  }

  @Test func `W2 a service is told once, with its lifetime and what it needs`() {
    var make = Maker()
    let app = make.node(.serviceSet, "app")
    let store = make.node(.service, "Store", parent: app)
    let loader = make.node(.service, "Loader", parent: app, state: .paused)
    make.join(app, .provides, store)
    make.join(app, .provides, loader)
    make.join(loader, .dependsOn, store)
    var wiring = make.wiring
    wiring.edges[0].label = "cached"
    wiring.edges[1].label = "transient, 1 decorator"
    #expect(
      wiring.text() == """
        Wiring: 3 nodes, 3 edges, nothing to warn of

        Services
        └─ services 'app' · Kit/File.swift:1
           ├─ service 'Store' · cached · Kit/File.swift:2
           └─ service 'Loader' · transient, 1 decorator · not built yet · Kit/File.swift:3
              └─ depends on → service 'Store'

        """)
  }

  @Test func `W2 one is one, and two are two`() {
    var make = Maker()
    let channel = make.node(.channel, "news")
    make.join(channel, .listens, make.node(.object, "List"))
    #expect(make.wiring.text().hasPrefix("Wiring: 2 nodes, 1 edge, "))
    #expect(make.wiring.dot().contains("2 nodes, 1 edge<") || make.wiring.dot().contains("1 edge"))
    #expect(!make.wiring.dot().contains("1 edges"))
  }

  @Test func `W1 kinds, nodes and edges print as words`() throws {
    let wiring = Sample.small
    #expect("\(Wiring.EdgeKind.provides)" == "provides")
    #expect("\(Wiring.NodeKind.serviceSet)" == "services")
    #expect(
      "\(Wiring.State.pending(3)) \(Wiring.State.failed("no network"))"
        == "pending 3 failed: no network")
    #expect("\(wiring.nodes[1])" == "channel 'articleRead' n2 (Kit/File.swift:2)")
    #expect("\(try #require(wiring.edges.first))" == "n3 posts n2")
  }

  @Test func `W2 an empty wiring has a rendering in every format`() throws {
    let empty = Wiring()
    #expect(empty.text() == "Wiring: 0 nodes, 0 edges, nothing to warn of\n")
    #expect(try Wiring(json: empty.json()) == empty)
    #expect(empty.dot().hasPrefix("digraph wiring {"))
    #expect(empty.mermaid().contains("flowchart LR"))
  }

  @Test func `W2 nothing invisible, no line break and no endless label gets into a rendering`() {
    #expect(DisplayText.line("a\u{0}b\nc\r\n\u{7F}") == "a␀b␊c␍␊␡")
    #expect(DisplayText.line("\u{202E}gpj.exe") == "\\u{202e}gpj.exe")
    #expect(DisplayText.line("שלום") == "\u{2068}שלום\u{2069}")
    #expect(DisplayText.line("👩‍👩‍👧‍👦") == "👩‍👩‍👧‍👦")
    let long = DisplayText.line(String(repeating: "x", count: 1 << 20))
    #expect(long == String(repeating: "x", count: DisplayText.limit) + "…")
    let marks = DisplayText.line("e" + String(repeating: "\u{301}", count: 1 << 20))
    #expect(marks.unicodeScalars.count <= 17)
  }

  @Test func `W2 a rendering of 1 MB labels stays small`() {
    var make = Maker()
    let label = String(repeating: "é\"<", count: 1 << 18)
    let channel = make.node(.channel, label, type: label)
    make.join(channel, .listens, channel, label: label, isolation: label)
    for rendering in [make.wiring.text(), make.wiring.dot(), make.wiring.mermaid()] {
      #expect(rendering.utf8.count < 16_384)
    }
  }

  @Test func `W2 unknown ends and circles of parents are left out, not followed`() {
    var wiring = Wiring()
    for (id, parent) in [(1, 2), (2, 1), (3, 1), (4, 4), (5, 99)] {
      wiring.nodes.append(
        Wiring.Node(
          id: Wiring.NodeID(id), kind: .channel, label: "\(id)", parent: Wiring.NodeID(parent)))
    }
    wiring.edges = [
      Wiring.Edge(from: Wiring.NodeID(1), to: Wiring.NodeID(77), kind: .listens)
    ]
    for rendering in [wiring.text(), wiring.dot(), wiring.mermaid()] {
      #expect(!rendering.contains("77"))
      for id in 1...5 { #expect(rendering.contains("\(id)")) }
    }
  }

  @Test func `W2 equal wirings give equal renderings`() {
    let wiring = Sample.program(nodes: 100)
    let copy = Wiring(nodes: wiring.nodes, edges: wiring.edges)
    #expect(wiring.text() == copy.text())
    #expect(wiring.json() == copy.json())
    #expect(wiring.dot() == copy.dot())
    #expect(wiring.mermaid() == copy.mermaid())
  }
}
