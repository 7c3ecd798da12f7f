/// Shows an inspector in a terminal until somebody has seen enough.
struct WatchSession {
  private let terminal: WatchTerminal
  private let wishes: WatchWishes
  private let client: WatchClient
  private let interval: Duration
  private var view: WatchView
  private var model: WatchModel
  private var isOver = false

  /// Prepares a session.
  ///
  /// - Parameters:
  ///   - client: asks the inspector; is interrupted by wishes.
  ///   - terminal: what is drawn on.
  ///   - wishes: what ends it.
  ///   - interval: how often the numbers are asked for.
  ///   - isColoured: whether to use colours.
  init(
    _ client: WatchClient, on terminal: WatchTerminal, _ wishes: WatchWishes,
    every interval: Duration, isColoured: Bool
  ) {
    self.client = client
    self.terminal = terminal
    self.wishes = wishes
    self.interval = interval
    view = WatchView(isColoured: isColoured, showsKeys: true)
    model = WatchModel(address: client.address.shown)
    (view.width, view.height) = terminal.size
  }

  /// Shows it.
  ///
  /// - Throws: `WatchError`. The terminal is as it was, whatever happens.
  mutating func run() throws {
    // Before the terminal is changed: what goes wrong at once is said where the command was typed.
    guard let first = try sample() else { return }
    model.take(first)
    let stream = try client.openStream()
    var events = WatchEvents()
    terminal.take()
    defer { terminal.restore() }
    var next = ContinuousClock.now + interval
    while !isOver {
      terminal.draw(view.lines(model))
      let ready = Poll.wait(
        for: [
          (wishes.descriptor, 1), (terminal.input, 1), (stream.descriptor, 1),
        ], until: next)
      if ready[0] { heed(wishes.wishes()) }
      if ready[1] { press(terminal.keys()) }
      if ready[2], try hear(stream, &events) {
        // Soon, not at once: what changes often is not to be asked for all the time.
        next = min(next, .now + .milliseconds(100))
      }
      guard !isOver, ContinuousClock.now >= next else { continue }
      if let sample = try sample() { model.take(sample) }
      next = .now + interval
    }
  }

  /// Asks for a sample; `nil`, with the wish heeded, if somebody had one meanwhile.
  private mutating func sample() throws -> WatchClient.Sample? {
    while !isOver {
      do { return try client.sample() } catch is CancellationError { heed(wishes.wishes()) }
    }
    return nil
  }

  private mutating func hear(
    _ stream: borrowing WatchSocket, _ events: inout WatchEvents
  ) throws -> Bool {
    guard let part = stream.readIfReady() else { return false }
    if part.isEmpty { throw WatchError.ended(client.address) }
    let messages: [WatchEvents.Message]
    do {
      messages = try events.append(part)
    } catch {
      throw WatchError.foreign(client.address, "what it sends are no events")
    }
    var hasChanged = false
    for message in messages where model.take(message) { hasChanged = true }
    return hasChanged
  }

  private mutating func heed(_ wishes: [WatchWishes.Wish]) {
    for wish in wishes {
      switch wish {
      case .end: isOver = true
      case .resize: (view.width, view.height) = terminal.size
      case .suspend:
        terminal.restore()
        WatchSignals.suspend()
        terminal.take()
        (view.width, view.height) = terminal.size
      }
    }
  }

  private mutating func press(_ keys: [UInt8]?) {
    guard let keys else {
      isOver = true
      return
    }
    var rest = keys[...]
    while let key = rest.popFirst() {
      switch key {
      case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: isOver = true
      case UInt8(ascii: "p"): view.isProblemsOnly.toggle()
      case UInt8(ascii: "k"): scroll(-1)
      case UInt8(ascii: "j"): scroll(1)
      case 0x1B where rest.first == UInt8(ascii: "["):
        // Parameters, and then the letter that says which key it was.
        rest = rest.dropFirst().drop { (0x20..<0x40).contains($0) }
        let letters = keys[..<rest.startIndex].suffix(1)
        press(rest.popFirst(), after: letters.first)
      default: break
      }
    }
  }

  private mutating func press(_ letter: UInt8?, after number: UInt8?) {
    let page = max(1, (view.height ?? 24) - 6)
    switch (letter, number) {
    case (UInt8(ascii: "A"), _): scroll(-1)
    case (UInt8(ascii: "B"), _): scroll(1)
    case (UInt8(ascii: "~"), UInt8(ascii: "5")): scroll(-page)
    case (UInt8(ascii: "~"), UInt8(ascii: "6")): scroll(page)
    default: break
    }
  }

  private mutating func scroll(_ lines: Int) {
    view.offset = max(0, min(view.offset + lines, view.limit(model)))
  }
}
