#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A terminal that is drawn on: what it was like is restored when this goes.
final class WatchTerminal {
  /// Where keys come from.
  let input: Int32
  /// Where lines go.
  let output: Int32
  private var saved: termios?
  private var isTaken = false

  /// Takes note of a terminal, without changing it.
  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  deinit { restore() }

  /// How many columns and lines there are.
  var size: (width: Int, height: Int) {
    var window = winsize()
    // SAFETY: the record is of this function's own, of the type that the request fills.
    let isKnown = unsafe ioctl(output, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
    return isKnown ? (Int(window.ws_col), max(1, Int(window.ws_row))) : (80, 24)
  }

  /// Shows a second screen, hides the cursor and has keys come as they are pressed.
  func take() {
    guard !isTaken else { return }
    isTaken = true
    var modes = termios()
    // SAFETY: the record is of this function's own.
    if unsafe tcgetattr(input, &modes) == 0 {
      saved = modes
      modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
      unsafe tcsetattr(input, TCSANOW, &modes)
    }
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
  }

  /// Puts everything back as it was.
  func restore() {
    guard isTaken else { return }
    isTaken = false
    write("\u{1B}[?25h\u{1B}[?1049l")
    guard var modes = saved else { return }
    // SAFETY: the record is of this function's own.
    unsafe tcsetattr(input, TCSANOW, &modes)
    saved = nil
  }

  /// Draws lines over what is there.
  func draw(_ lines: [String]) {
    let drawn = lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n")
    write("\u{1B}[H\(drawn)\u{1B}[J")
  }

  /// Reads the keys that were pressed; `nil` if no more can come.
  func keys() -> [UInt8]? {
    let part = unsafe [UInt8](unsafeUninitializedCapacity: 256) { buffer, filled in
      // SAFETY: at most as many bytes are read as there is room for, and so many are declared to be there.
      filled = unsafe max(0, systemRead(input, buffer.baseAddress, buffer.count))
    }
    return part.isEmpty ? nil : part
  }

  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // SAFETY: the bytes are used within the call only.
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe systemWrite(output, bytes.baseAddress, bytes.count)
      }
      if count > 0 { rest = rest.dropFirst(count) }
      guard count > 0 || errno == EINTR || errno == EAGAIN else { return }
    }
  }
}
