internal import JunctorBridge

extension BridgeContract {
  /// The rules about frames that are kept until they were handled.
  static let keptRules: [Rule] = [
    Rule("what is kept reaches who was away, and every durable name") { world, subject in
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let names = ["\(subject.durable)a", "\(subject.durable)b"]
      let kept = names.map { name in
        BridgeSubscription(subject: subject("x"), promise: .atLeastOnce(durable: name))
      }
      for subscription in kept {
        let route = receiver.subscribe(subscription) { $0.settle(.handled) }
        try await route.ready()
        await route.close(within: world.patience)
      }
      for index in 0..<100 {
        try await sender.keep(subject("x"), "\(index)", id: "\(subject.root)\(index)")
      }
      for subscription in kept {
        let collector = BridgeCollector()
        let route = receiver.subscribe(subscription) { collector.take($0) }
        try await route.ready()
        try await route.caughtUp()
        try subject.require(
          collector.all.count == 100,
          "\(collector.all.count) of 100 had arrived when it was said to have caught up")
        try subject.require(
          collector.texts == (0..<100).map(String.init), "they are others, or changed places")
        await route.close(within: world.patience)
      }
    },
    Rule("what is not settled comes again, and what is settled does not") { world, subject in
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let subscription = BridgeSubscription(
        subject: subject("x"), promise: .atLeastOnce(durable: subject.durable),
        redeliverAfter: .milliseconds(300))
      let collector = BridgeCollector(settles: false)
      let route = receiver.subscribe(subscription) { delivery in
        if delivery.attempt > 1 || delivery.frame.payload == Array("end".utf8) {
          delivery.settle(.handled)
        }
        if delivery.frame.payload == Array("never".utf8) { delivery.settle(.unusable) }
        collector.take(delivery)
      }
      try await route.ready()
      for text in ["again", "never"] {
        try await sender.keep(subject("x"), text, id: "\(subject.root)\(text)")
      }
      try subject.require(
        await collector.wait(for: 3, within: world.patience), "\(collector.texts) came only")
      try await sender.keep(subject("x"), "end", id: "\(subject.root)end")
      try subject.require(
        await collector.wait(for: 4, within: world.patience), "\(collector.texts) came only")
      try subject.require(
        collector.texts == ["again", "never", "again", "end"], "\(collector.texts) came")
      try subject.require(
        collector.all.map(\.attempt) == [1, 1, 2, 1],
        "the attempts were \(collector.all.map(\.attempt))")
      await route.close(within: world.patience)
    },
    Rule("two frames with one message ID are kept once") { world, subject in
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let collector = BridgeCollector()
      let route = receiver.subscribe(
        BridgeSubscription(
          subject: subject("x"), promise: .atLeastOnce(durable: subject.durable))
      ) { collector.take($0) }
      try await route.ready()
      for text in ["a", "b", "a", "b", "c"] {
        try await sender.keep(subject("x"), text, id: "\(subject.root)\(text)")
      }
      try subject.require(
        await collector.wait(for: 3, within: world.patience), "\(collector.texts) came only")
      try subject.require(collector.texts == ["a", "b", "c"], "\(collector.texts) came")
      await route.close(within: world.patience)
    },
    Rule("what a lost subscriber had and did not settle goes to the next") { world, subject in
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let subscription = BridgeSubscription(
        subject: subject("x"), promise: .atLeastOnce(durable: subject.durable),
        redeliverAfter: .milliseconds(300))
      let lost = BridgeCollector(settles: false)
      let first = receiver.subscribe(subscription) { lost.take($0) }
      try await first.ready()
      for index in 0..<10 {
        try await sender.keep(subject("x"), "\(index)", id: "\(subject.root)\(index)")
      }
      try subject.require(
        await lost.wait(for: 10, within: world.patience), "\(lost.all.count) of 10 arrived")
      await first.close(within: world.patience)
      let collector = BridgeCollector()
      let other = try await world.connect()
      let second = other.subscribe(subscription) { collector.take($0) }
      try subject.require(
        await collector.wait(for: 10, within: world.patience),
        "\(collector.all.count) of 10 came again")
      try subject.require(
        Set(collector.texts) == Set((0..<10).map(String.init)), "\(collector.texts) came again")
      await second.close(within: world.patience)
    },
    Rule("no more than a window is unsettled") { world, subject in
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let collector = BridgeCollector(settles: false)
      let route = receiver.subscribe(
        BridgeSubscription(
          subject: subject("x"), promise: .atLeastOnce(durable: subject.durable), window: 5)
      ) { collector.take($0) }
      try await route.ready()
      for index in 0..<20 {
        try await sender.keep(subject("x"), "\(index)", id: "\(subject.root)\(index)")
      }
      for settled in 0..<20 {
        try subject.require(
          await collector.wait(for: settled + 1, within: world.patience),
          "\(collector.all.count) arrived when \(settled) were settled")
        try subject.require(
          collector.all.count <= settled + 5,
          "\(collector.all.count) arrived when \(settled) were settled, of a window of 5")
        collector.all[settled].settle(.handled)
      }
      await route.close(within: world.patience)
    },
    Rule("of a group one member handles each kept frame") { world, subject in
      let sender = try await world.connect()
      let collector = BridgeCollector()
      var routes: [any BridgeRoute] = []
      for _ in 0..<2 {
        let engine = try await world.connect()
        let route = engine.subscribe(
          BridgeSubscription(
            subject: subject("x"), promise: .atLeastOnce(durable: subject.durable), group: "g")
        ) { collector.take($0) }
        try await route.ready()
        routes.append(route)
      }
      for index in 0..<100 {
        try await sender.keep(subject("x"), "\(index)", id: "\(subject.root)\(index)")
      }
      try subject.require(
        await collector.wait(for: 100, within: world.patience),
        "\(collector.all.count) of 100 arrived")
      for route in routes { await route.close(within: world.patience) }
      try subject.require(
        Set(collector.texts).count == 100 && collector.all.count == 100,
        "\(collector.all.count) arrived of 100, \(Set(collector.texts).count) of them different")
    },
  ]

  /// The rules about a server that is lost and comes back.
  static let restartRules: [Rule] = [
    Rule("after a restart subscriptions stand and what was kept arrives") { world, subject in
      guard let restart = world.restart else { return }
      let (sender, receiver) = (try await world.connect(), try await world.connect())
      let (plain, kept) = (BridgeCollector(), BridgeCollector())
      let first = receiver.subscribe(BridgeSubscription(subject: subject("plain"))) {
        plain.take($0)
      }
      try await first.ready()
      let away = BridgeSubscription(
        subject: subject("x"), promise: .atLeastOnce(durable: subject.durable))
      let early = receiver.subscribe(away) { $0.settle(.handled) }
      try await early.ready()
      await early.close(within: world.patience)
      for index in 0..<50 {
        try await sender.keep(subject("x"), "\(index)", id: "\(subject.root)\(index)")
      }
      try await restart()
      for index in 50..<100 {
        try await sender.keep(subject("x"), "\(index)", id: "\(subject.root)\(index)")
      }
      let second = receiver.subscribe(away) { kept.take($0) }
      try subject.require(
        await kept.wait(for: 100, within: world.patience),
        "\(kept.all.count) of 100 kept frames arrived")
      try subject.require(
        Set(kept.texts) == Set((0..<100).map(String.init)), "what was kept is something else")
      try await second.ready()
      // The subscription stands again as soon as the receiver is connected, which it is.
      var count = 0
      while plain.all.isEmpty, count < 10_000 {
        _ = await sender.publish(subject("plain"), "again")
        count += 1
        _ = await plain.wait(for: 1, within: .milliseconds(50))
      }
      try subject.require(!plain.all.isEmpty, "the old subscription gets nothing any more")
      await first.close(within: world.patience)
      await second.close(within: world.patience)
    }
  ]
}
