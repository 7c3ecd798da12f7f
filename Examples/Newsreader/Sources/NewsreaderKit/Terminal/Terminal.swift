internal import Dispatch
internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What comes from a terminal.
///
/// ## Concurrency
/// A value; may be used anywhere.
enum TerminalEvent: Sendable, Hashable {
  /// A key was pressed.
  case key(Key)
  /// The window has another size, or the program was stopped and goes on.
  case redraw
  /// Nobody is there any more.
  case hangUp
}

/// The terminal: raw while the program has it, and as it was before whenever the program does not, whatever ends it.
///
/// ## Concurrency
/// On the main actor. Keys are read on a queue of its own, and so are signals: both work while the main actor is busy.
/// The terminal is restored on that queue, before a signal takes its usual effect.
@MainActor
final class Terminal {
  /// The keys and the changes of size, in order.
  let events: AsyncStream<TerminalEvent>

  private static let handledSignals = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH,
  ]

  private let continuation: AsyncStream<TerminalEvent>.Continuation
  private let mode = TerminalMode()
  private let input = TerminalInput()
  private let queue = DispatchQueue(label: "newsreader.terminal")
  private var sources: [any DispatchSourceProtocol] = []

  /// Makes a terminal of standard input and output; nothing is changed yet.
  init() { (events, continuation) = AsyncStream.makeStream() }

  /// The columns and rows; 80 and 24 where the terminal does not say.
  ///
  /// - Complexity: O(1).
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Takes the terminal: no echo, no line editing, a screen of its own.
  func enter() {
    mode.enter()
    sources = Self.handledSignals.map(signalSource) + [keySource()]
    for source in sources { source.activate() }
  }

  /// Gives the terminal back as it was.
  func leave() {
    for source in sources { source.cancel() }
    sources = []
    mode.leave()
    for number in Self.handledSignals { signal(number, SIG_DFL) }
    continuation.finish()
  }

  /// Stops the program until the shell lets it go on.
  func suspend() { kill(getpid(), SIGTSTP) }

  /// Writes text as it is.
  ///
  /// - Parameter text: text and control sequences.
  /// - Complexity: O(length).
  func write(_ text: String) { mode.write(text) }

  private func signalSource(_ number: Int32) -> any DispatchSourceProtocol {
    // The usual effect comes later, from the handler.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { @Sendable [mode, continuation] in
      switch number {
      case SIGWINCH: continuation.yield(.redraw)
      case SIGCONT:
        mode.enter()
        continuation.yield(.redraw)
      case SIGTSTP:
        mode.leave()
        kill(getpid(), SIGSTOP)
      default:
        mode.leave()
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
    }
    return source
  }

  private func keySource() -> any DispatchSourceProtocol {
    let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: queue)
    source.setEventHandler { @Sendable [input, continuation] in
      guard let keys = input.read() else {
        continuation.yield(.hangUp)
        continuation.finish()
        return
      }
      for key in keys { continuation.yield(.key(key)) }
    }
    return source
  }
}
