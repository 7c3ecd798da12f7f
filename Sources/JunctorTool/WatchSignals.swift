internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Turns the signals that concern a program which draws on a terminal into wishes, as long as it lives.
///
/// ## Concurrency
/// Confined to whoever made it. Signals are taken on a queue of the system's.
final class WatchSignals {
  private var sources: [any DispatchSourceSignal] = []

  /// Takes the process's signals from now on.
  init(_ wishes: WatchWishes) {
    for (number, wish) in [
      (SIGINT, WatchWishes.Wish.end), (SIGTERM, .end), (SIGHUP, .end), (SIGTSTP, .suspend),
      (SIGWINCH, .resize),
    ] {
      // A source only sees what is not delivered in the usual way.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { wishes.wish(wish) }
      source.resume()
      sources.append(source)
    }
  }

  deinit { for source in sources { source.cancel() } }

  /// Stops the process as the signal would have done, until somebody lets it go on.
  static func suspend() { kill(getpid(), SIGSTOP) }
}
