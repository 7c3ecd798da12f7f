import JunctorWiring

/// Wirings made by hand, the same at every run.
enum Sample {
  /// A reader of news: one of everything, one dead end, one failure.
  static var small: Wiring {
    var make = Maker()
    let exchange = make.node(.exchange, "app", type: "JunctorChannels.Exchange")
    let read = make.node(
      .channel, "articleRead", type: "NewsreaderKit.Article", parent: exchange,
      counters: ["posted": 12, "delivered": 24])
    let screen = make.node(.object, "ReadingScreen", type: "NewsreaderKit.ReadingScreen")
    let list = make.node(.object, "ListScreen", type: "NewsreaderKit.ListScreen")
    let badge = make.node(.object, "Badge", type: "NewsreaderKit.Badge")
    make.join(screen, .posts, read, counters: ["posted": 12])
    make.join(read, .listens, list, priority: 5, isolation: "MainActor")
    make.join(read, .listens, badge, state: .paused)
    return make.wiring
  }

  /// All four mechanisms, with what can go wrong in each.
  static var everything: Wiring {
    var make = Maker()
    let exchange = make.node(.exchange, "app")
    let read = make.node(
      .channel, "articleRead", type: "NewsreaderKit.Article", parent: exchange,
      counters: ["posted": 12])
    let twin = make.node(.channel, "progress", type: "Swift.Int", parent: exchange)
    _ = make.node(.channel, "progress", type: "Swift.Double", parent: exchange)
    let parser = make.node(.multicast, "parser", type: "Foundation.XMLParserDelegate")
    _ = make.node(.multicast, "spare", type: "Foundation.XMLParserDelegate")
    let collector = make.node(.object, "ArticleCollector")
    let meter = make.node(.object, "ProgressMeter")
    let list = make.node(.object, "ListScreen")
    let reading = make.node(.receiver, "ReadingScreen", type: "NewsreaderKit.Article")
    let app = make.node(.serviceSet, "app")
    let scene = make.node(.serviceSet, "scene")
    let store = make.node(
      .service, "ArticleStore", type: "NewsreaderKit.ArticleStore", parent: app,
      times: ["build": .microseconds(1250)])
    let loader = make.node(
      .service, "FeedLoader", parent: app, state: .failed("no network at start"))
    make.join(read, .listens, list, priority: 5, isolation: "MainActor")
    make.join(twin, .listens, meter)
    make.join(parser, .delegates, collector, priority: 1)
    make.join(parser, .delegates, meter, state: .dead)
    make.join(list, .handedOver, reading, state: .pending(1))
    make.join(list, .awaitsResult, reading)
    make.join(app, .provides, store)
    make.join(app, .provides, loader)
    make.join(loader, .dependsOn, store)
    make.join(scene, .fallsBack, app)
    return make.wiring
  }

  /// Roughly so many nodes, mechanisms mixed as in a real program, with a few dead ends and one collision.
  static func program(nodes count: Int) -> Wiring {
    var make = Maker()
    let exchange = make.node(.exchange, "app")
    let app = make.node(.serviceSet, "app")
    let scene = make.node(.serviceSet, "scene")
    make.join(scene, .fallsBack, app)
    let objects = (0..<max(2, count / 2)).map { place in
      make.node(
        .object, "\(["Reading", "List", "Badge", "Store", "Sync"][place % 5])Controller\(place)")
    }
    var place = 0
    while make.wiring.nodes.count < count {
      let first = objects[place % objects.count]
      let second = objects[(place * 7 + 3) % objects.count]
      let third = objects[(place * 5 + 1) % objects.count]
      switch place % 5 {
      case 0, 1:
        let channel = make.node(
          .channel, place == 10 ? "channel.5" : "channel.\(place)", type: "Kit.Message\(place)",
          parent: exchange, counters: ["posted": UInt64(place)])
        make.join(first, .posts, channel)
        if place % 15 != 0 { make.join(channel, .listens, second, priority: place % 3) }
        if place % 2 == 0 { make.join(channel, .listens, third, isolation: "MainActor") }
      case 2:
        let multicast = make.node(.multicast, "parser\(place)", type: "Kit.ParserDelegate")
        make.join(multicast, .delegates, first)
        make.join(multicast, .delegates, third)
      case 3:
        let service = make.node(.service, "Service\(place)", parent: app)
        make.join(app, .provides, service)
        if place % 2 == 1 { make.join(service, .dependsOn, first) }
      default:
        let receiver = make.node(.receiver, "Receiver\(place)", type: "Kit.Model")
        make.join(second, .handedOver, receiver)
      }
      place += 1
    }
    return make.wiring
  }

  /// Names that would break a careless rendering.
  static let awkward = [
    "", " ", "a \"quoted\" name", "two\nlines\r\n", "nul\u{0}inside", "back\\slash \\N \\l \\",
    "<script>alert(1)</script>", "&amp; &#65;", "👩‍👩‍👧‍👦 família", "שלום עולם", "\u{202E}gpj.exe",
    "]]> --> }", "\u{FEFF}\u{FFFE}\u{85}\u{2028}", "end", "%%{init}%% ;", "`**bold**` _x_",
    "e" + String(repeating: "\u{301}", count: 5000),
  ]

  /// One node for each awkward name, joined in a ring.
  static var awkwardly: Wiring {
    var make = Maker()
    let exchange = make.node(.exchange, "\"<&\n")
    let names = awkward.map { make.node(.channel, $0, type: $0 + "!", parent: exchange) }
    for (place, name) in names.enumerated() {
      make.join(name, .listens, names[(place + 1) % names.count], label: awkward[place])
    }
    make.join(names[0], Wiring.EdgeKind("\"|<own>\n"), names[1], state: .failed("\"<&\n\u{0}"))
    return make.wiring
  }
}

/// The samples by name, which keeps the lists of test cases short.
enum SampleName: String, CaseIterable, Sendable {
  case empty, small, everything, fifty, twoHundred, awkward

  var wiring: Wiring {
    switch self {
    case .empty: Wiring()
    case .small: Sample.small
    case .everything: Sample.everything
    case .fifty: Sample.program(nodes: 50)
    case .twoHundred: Sample.program(nodes: 200)
    case .awkward: Sample.awkwardly
    }
  }
}

/// Numbers the nodes.
struct Maker {
  var wiring = Wiring()

  mutating func node(
    _ kind: Wiring.NodeKind, _ label: String, type: String? = nil, parent: Wiring.NodeID? = nil,
    state: Wiring.State = .alive, counters: [String: UInt64] = [:], times: [String: Duration] = [:]
  ) -> Wiring.NodeID {
    let id = Wiring.NodeID(wiring.nodes.count + 1)
    wiring.nodes.append(
      Wiring.Node(
        id: id, kind: kind, label: label, type: type, parent: parent,
        site: SourceSite(fileID: "Kit/File.swift", line: UInt(id.rawValue)), state: state,
        counters: counters, times: times))
    return id
  }

  mutating func join(
    _ from: Wiring.NodeID, _ kind: Wiring.EdgeKind, _ to: Wiring.NodeID, label: String? = nil,
    state: Wiring.State = .alive, priority: Int? = nil, isolation: String? = nil,
    counters: [String: UInt64] = [:]
  ) {
    wiring.edges.append(
      Wiring.Edge(
        from: from, to: to, kind: kind, label: label, state: state, priority: priority,
        isolation: isolation, counters: counters))
  }
}
