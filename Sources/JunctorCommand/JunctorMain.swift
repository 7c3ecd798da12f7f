// JunctorCommand: the program `junctor`; see JunctorTool for what it does. The module has another name than the
// program because file systems that pay no heed to case would mix it up with the module Junctor.

internal import JunctorTool

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The entry point.
@main
enum JunctorMain {
  /// Runs the call and ends the program with its status.
  static func main() async {
    let isTerminal = isatty(0) == 1 && isatty(1) == 1
    let environment = ToolEnvironment(
      print: { write($0, to: 1) }, complain: { write("\($0)\n", to: 2) },
      terminal: isTerminal ? .init(input: 0, output: 1) : nil,
      isColoured: isTerminal && !isSet("NO_COLOR") && value(of: "TERM") != "dumb")
    exit(await Tool.run(Array(CommandLine.arguments.dropFirst()), in: environment))
  }

  private static func value(of variable: String) -> String? {
    // SAFETY: nobody changes the environment; its bytes are copied at once.
    unsafe getenv(variable).map { unsafe String(cString: $0) }
  }

  /// Whether a variable of the environment has a value that is not empty, as the custom of NO_COLOR asks.
  private static func isSet(_ variable: String) -> Bool { value(of: variable)?.isEmpty == false }

  /// Writes all of a text. Whoever reads no longer ends the program by the signal, as is usual for tools.
  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // SAFETY: the bytes are used within the call only.
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe systemWrite(descriptor, bytes.baseAddress, bytes.count)
      }
      if count > 0 { rest = rest.dropFirst(count) }
      guard count > 0 || errno == EINTR || errno == EAGAIN else { exit(1) }
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
